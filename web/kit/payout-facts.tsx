import type { PayoutContext } from '#contract/api.ts';
import { counted } from '#web/lib/format.ts';
import type { Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';

/** The person whose money can leave, and the place it goes to. */
export interface Payer {
  context: PayoutContext;
  /** Moment from which it can be paid; null where it does not wait. */
  payableFrom: string | null;
  to?: 'Bank' | 'Payee';
}

/** Facts that an admin reads before money can leave: what the person has, and what was changed when. */
export function payoutFacts({ context, payableFrom, to = 'Bank' }: Payer): Fact[] {
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
      label: `${to} ${context.isBankNew ? 'added' : 'changed'}`,
      value: <Time at={bankChangedAt} as="dateTime" />,
    },
    {
      label: 'Password changed',
      value: passwordChangedAt === null ? 'Never' : <Time at={passwordChangedAt} as="dateTime" />,
    },
    ...(payableFrom === null
      ? []
      : [{ label: 'Can be paid from', value: <Time at={payableFrom} as="dateTime" /> }]),
    { label: 'History', value: historyWords(context, to === 'Bank' ? 'account' : 'payee') },
    ...(context.isDeactivated ? [{ label: 'Account', value: 'Deactivated' }] : []),
  ];
}

/** Payouts that are frozen, over the buttons. A button says itself why it cannot be pressed. */
export function FrozenPayouts({ context: { frozenAt } }: { context: PayoutContext }) {
  if (frozenAt === null) return null;
  return (
    <div className="mt-4">
      <Notice tone="caution">
        Payouts of this employee are frozen since <Time at={frozenAt} as="dateTime" />.
      </Notice>
    </div>
  );
}

/** "11 payouts to this account since 2024, none returned" */
function historyWords({ paid, since, returned }: PayoutContext, to: string): string {
  const back = returned === 0 ? 'none returned' : `${returned} returned`;
  if (since === null) {
    return returned === 0
      ? `No payout to this ${to} yet`
      : `No successful payout to this ${to} yet, ${back}`;
  }
  return `${counted(paid, 'payout')} to this ${to} since ${since}, ${back}`;
}
