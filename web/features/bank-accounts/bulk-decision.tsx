import type { AdminBankAccount } from '#contract/api.ts';
import type { BulkWords } from '#web/kit/bulk-act.tsx';
import { BulkDecision } from '#web/kit/bulk-decision.tsx';
import type { Column } from '#web/ui/table.tsx';
import { DECISIONS, type DecisionName } from './admin-decision.tsx';
import { HolderCell } from './holder-check.tsx';

/** Bank accounts that are being decided about. */
export interface BulkDeciding {
  decision: DecisionName;
  accounts: readonly AdminBankAccount[];
}

const WORDS: Record<DecisionName, BulkWords> = {
  verify: { noun: 'bank account', verb: 'verify', done: 'verified', status: 'verified' },
  reject: { noun: 'bank account', verb: 'reject', done: 'rejected', status: 'rejected' },
};

const COLUMNS: readonly Column<AdminBankAccount>[] = [
  {
    id: 'bank',
    header: 'Bank',
    cell: ({ bankName, accountNumberLast4 }) => (
      <span className="muted">{`${bankName} ••${accountNumberLast4}`}</span>
    ),
  },
  {
    id: 'holder',
    header: 'Account holder',
    cell: (account) => <HolderCell account={account} />,
  },
];

/**
 * Whether it can be verified with others: its holder has the employee's name, and nobody else has the
 * account. What is in doubt is decided by itself, where all of it is shown.
 */
export function isPlain({ check }: AdminBankAccount): boolean {
  return check !== null && check.nameMatch === 'equal' && check.alsoOf.length === 0;
}

/** Asks before several bank accounts are verified or rejected. */
export function BulkBankAccountDecision({
  decision,
  accounts,
  onClose,
}: BulkDeciding & { onClose: () => void }) {
  return (
    <BulkDecision
      decision={DECISIONS[decision]}
      words={WORDS[decision]}
      rows={accounts}
      topic="bank-accounts"
      columns={COLUMNS}
      consequence={
        decision === 'verify'
          ? 'Withdrawals can be paid to them from then on. Each employee is notified.'
          : 'The employees can correct them and send them again.'
      }
      onClose={onClose}
    />
  );
}
