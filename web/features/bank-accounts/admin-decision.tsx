import type { AdminBankAccount } from '#contract/api.ts';
import { ACCOUNT_TYPE_LABELS } from '#contract/bank-accounts.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { DecisionDialog, type Decision } from '#web/kit/decision-dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { AccountNumber } from './admin-number.tsx';
import { holderFacts, SharedAccountNotice } from './holder-check.tsx';

/** In a row, the step that takes it on stands at the edge. */
export const DECISION_NAMES = ['reject', 'verify'] as const;
export type DecisionName = (typeof DECISION_NAMES)[number];

export const DECISIONS: Record<DecisionName, Decision> = {
  verify: {
    operation: 'adminVerifyBankAccount',
    label: 'Verify',
    kind: 'solid',
    title: 'Verify this bank account?',
    pending: 'Verifying',
    done: 'Bank Account Verified',
  },
  reject: {
    operation: 'adminRejectBankAccount',
    label: 'Reject',
    kind: 'outline',
    title: 'Reject bank account',
    reason: { emptyHint: 'Enter a reason to reject.', keep: 'Keep Account' },
    pending: 'Rejecting',
    done: 'Bank Account Rejected',
  },
};

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
        </>
      }
    >
      {decision === 'verify' ? (
        `Withdrawals of ${employee.name} can be paid to it from then on.`
      ) : (
        <>
          <span className="strong">{employee.name}</span>, {number}, in the name of{' '}
          {accountHolderName}. The employee can correct it and send it again.
        </>
      )}
    </DecisionDialog>
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
