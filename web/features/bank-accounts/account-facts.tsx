import type { AdminBankAccount } from '#contract/api.ts';
import { accountTypeLabel, accountWords } from '#contract/account-formats.ts';
import { known } from '#web/kit/known-fact.tsx';
import { takenSteps } from '#web/desk/rail.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';
import type { Fact } from '#web/ui/facts.tsx';
import { Time } from '#web/ui/time.tsx';
import { AccountNumber } from './admin-number.tsx';
import { holderFacts, SharedAccountNotice } from './holder-check.tsx';
import { openProof } from './proof-words.ts';
import { ReturnedNotice } from './returned-notice.tsx';

/**
 * True if it is verified alone, where all of it is shown: its holder's name differs from the employee's, or another
 * person has the account.
 */
export function isDoubtful({ check }: AdminBankAccount): boolean {
  return check === null || check.nameMatch !== 'equal' || check.alsoOf.length > 0;
}

/** Facts that have to agree with the employee's papers. */
export function accountFacts(account: AdminBankAccount): Fact[] {
  const { routing, number } = accountWords(account);
  return [
    { label: 'Bank', value: account.bankName },
    ...known('Type', accountTypeLabel(account)),
    ...holderFacts(account),
    ...(routing === null
      ? []
      : [{ label: routing.short, value: routing.shown(account.routingNumber) }]),
    { label: number.short, value: <AccountNumber account={account} /> },
  ];
}

/** Other people with the account, and payouts that the bank sent back from it. */
export function AccountNotices({ account }: { account: AdminBankAccount }) {
  return (
    <>
      <SharedAccountNotice people={account.check?.alsoOf ?? []} />
      <ReturnedNotice account={account} />
    </>
  );
}

/** "Withdrawals of Maya Castellanos can be paid to it from Nov 26, 2026, 9:04 AM." */
export function PaidAfterVerifying({ account }: { account: AdminBankAccount }) {
  const from = stillCoolingOff(account);
  const { name } = account.employee;
  return from === null ? (
    <>{`Withdrawals of ${name} can be paid to it as soon as you verify it.`}</>
  ) : (
    <>
      Withdrawals of {name} can be paid to it from <Time at={from} as="dateTime" />.
    </>
  );
}

/** Submitted, then verified or rejected, or the step that is waited for. */
export function bankAccountRail(account: AdminBankAccount): DatedStep[] {
  const { status, history } = account;
  const taken = takenSteps(history, {
    pending: 'Submitted',
    returned: 'Payout sent back by the bank',
  });
  if (status !== 'pending') return taken;
  const open = openProof(account);
  if (open === null) return [...taken, { state: 'now', what: 'Waiting for verification' }];
  return [...taken, { state: 'now', what: open.what, who: open.state }];
}
