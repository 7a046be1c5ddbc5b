import type { AdminBankAccount } from '#contract/api.ts';
import { ACCOUNT_TYPE_LABELS } from '#contract/bank-accounts.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Time } from '#web/ui/time.tsx';
import { AccountNumber } from './admin-number.tsx';
import { holderFacts, SharedAccountNotice } from './holder-check.tsx';
import { ReturnedNotice } from './returned-notice.tsx';

/** In a row, the step that takes it on stands at the edge. */
const DECISION_NAMES = ['reject', 'verify'] as const;
export type DecisionName = (typeof DECISION_NAMES)[number];

export const DECISIONS = decisionsOf(bankAccount);

/** Decisions that the admin who reads a waiting account may make: another one verifies what they entered. */
export function decisionsFor({ mayVerify }: Pick<AdminBankAccount, 'mayVerify'>): DecisionName[] {
  return DECISION_NAMES.filter((decision) => mayVerify || decision !== 'verify');
}

/**
 * True if it can be verified together with others: its holder has the employee's name, and nobody else has the
 * account. A doubtful one is decided alone, where all of it is shown.
 */
export function isPlain({ check }: AdminBankAccount): boolean {
  return check !== null && check.nameMatch === 'equal' && check.alsoOf.length === 0;
}

/** A bank account that is being decided about. */
export interface Deciding {
  decision: DecisionName;
  account: AdminBankAccount;
}

/** Asks before a bank account is verified, and for the reason before one is rejected. */
export function BankAccountDecision({
  decision,
  account,
  onClose,
}: Deciding & { onClose: () => void }) {
  const { id, employee, bankName, accountNumberLast4, accountHolderName } = account;
  const number = `${bankName} ••${accountNumberLast4}`;
  return (
    <DecisionDialog
      decision={DECISIONS[decision]}
      id={id}
      subject={`${number} of ${employee.name}.`}
      topic="bank-accounts"
      unchanged="The bank account was not changed."
      onClose={onClose}
      details={
        <>
          <Facts isTight facts={accountFacts(account)} />
          <SharedAccountNotice people={account.check?.alsoOf ?? []} />
          <ReturnedNotice account={account} />
        </>
      }
    >
      {decision === 'verify' ? (
        <PaidAfterVerifying account={account} />
      ) : (
        <>
          <span className="strong">{employee.name}</span>, {number}, in the name of{' '}
          {accountHolderName}. The employee can correct it and send it again.
        </>
      )}
    </DecisionDialog>
  );
}

function PaidAfterVerifying({ account }: { account: AdminBankAccount }) {
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

/** What has to agree with the employee's papers. */
export function accountFacts(account: AdminBankAccount): Fact[] {
  return [
    { label: 'Bank', value: account.bankName },
    { label: 'Type', value: ACCOUNT_TYPE_LABELS[account.accountType] },
    ...holderFacts(account),
    { label: 'Routing', value: account.routingNumber },
    { label: 'Account', value: <AccountNumber account={account} /> },
    {
      label: 'Audit',
      value: <AuditLink thing="bankAccounts" subject={account.id} />,
    },
  ];
}
