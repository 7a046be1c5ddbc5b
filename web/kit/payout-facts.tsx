import type { PayoutContext } from '#contract/api.ts';
import { counted } from '#web/lib/format.ts';
import type { Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';

/** Facts that an admin reads before money can leave: what the person has, and what was changed when. */
export function payoutFacts(context: PayoutContext, payableFrom: string | null): Fact[] {
  const { available, held, isIdentityApproved, bankChangedAt, passwordChangedAt } = context;
  const isHeld = BigInt(held.minor) > 0n;
  return [
    {
      label: 'Available',
      value: (
        <>
          <Money amount={available} />
          {isHeld && (
            <>
              {' '}
              and <Money amount={held} /> held
            </>
          )}
        </>
      ),
    },
    {
      label: 'Identity',
      value: isIdentityApproved ? (
        <Status status="approved" isFinal />
      ) : (
        <Status status="pending" label="Not approved" />
      ),
    },
    {
      label: context.isBankNew ? 'Bank added' : 'Bank changed',
      value: <Time at={bankChangedAt} as="dateTime" />,
    },
    {
      label: 'Password changed',
      value: passwordChangedAt === null ? 'Never' : <Time at={passwordChangedAt} as="dateTime" />,
    },
    ...(payableFrom === null
      ? []
      : [{ label: 'Can be paid from', value: <Time at={payableFrom} as="dateTime" /> }]),
    { label: 'History', value: historyWords(context) },
    ...(context.isDeactivated ? [{ label: 'Account', value: 'Deactivated' }] : []),
  ];
}

/** What keeps money from leaving, or this admin from deciding; over the buttons. */
export function PayoutNotices({ context }: { context: PayoutContext }) {
  const { frozenAt, refusal } = context;
  return (
    <>
      {frozenAt !== null && (
        <div className="mt-4">
          <Notice tone="caution">
            Payouts of this employee are frozen since <Time at={frozenAt} as="dateTime" />.
          </Notice>
        </div>
      )}
      {refusal !== null && frozenAt === null && (
        <div className="mt-4">
          <Notice tone="caution">{refusal}</Notice>
        </div>
      )}
    </>
  );
}

/** "11 payouts to this account since 2024, none returned" */
function historyWords({ paid, since, returned }: PayoutContext): string {
  const back = returned === 0 ? 'none returned' : `${returned} returned`;
  if (since === null) {
    return returned === 0
      ? 'No payout to this account yet'
      : `No successful payout to this account yet, ${back}`;
  }
  return `${counted(paid, 'payout')} to this account since ${since}, ${back}`;
}
