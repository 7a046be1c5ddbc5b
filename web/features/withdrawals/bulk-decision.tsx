import type { AdminWithdrawal } from '#contract/api.ts';
import type { BulkWords } from '#web/kit/bulk-act.tsx';
import { BulkDecision } from '#web/kit/bulk-decision.tsx';
import type { Column } from '#web/ui/table.tsx';
import { DECISIONS, type RowDecision } from './decisions.ts';

/** Withdrawals that are being decided about. */
export interface BulkDeciding {
  decision: RowDecision;
  withdrawals: readonly AdminWithdrawal[];
}

const NOUN = 'withdrawal';

const TEXTS: Record<RowDecision, { words: BulkWords; consequence: string; doneTotal: string }> = {
  reject: {
    words: { noun: NOUN, verb: 'reject', done: 'rejected', status: 'rejected' },
    consequence: 'The amounts return to the employees’ available balances.',
    doneTotal: 'Rejected',
  },
  approve: {
    words: { noun: NOUN, verb: 'approve', done: 'approved', status: 'approved' },
    consequence: 'The amounts stay held until they are paid out. Each employee is notified.',
    doneTotal: 'Approved',
  },
  startProcessing: {
    words: { noun: NOUN, verb: 'start', done: 'started', status: 'processing' },
    consequence: 'They show as on their way until you complete or stop them.',
    doneTotal: 'In processing',
  },
  complete: {
    words: { noun: NOUN, verb: 'complete', done: 'completed', status: 'completed' },
    consequence: 'The held amounts leave the wallets and are booked as paid out.',
    doneTotal: 'Paid out',
  },
};

const COLUMNS: readonly Column<AdminWithdrawal>[] = [
  {
    id: 'to',
    header: 'To',
    cell: ({ bankName, bankLast4 }) => (
      <span className="muted">{`${bankName} ••${bankLast4}`}</span>
    ),
  },
];

/** Asks before several withdrawals are decided, naming each person, bank and amount. */
export function BulkWithdrawalDecision({
  decision,
  withdrawals,
  onClose,
}: BulkDeciding & { onClose: () => void }) {
  return (
    <BulkDecision
      decision={DECISIONS[decision]}
      rows={withdrawals}
      topic="withdrawals"
      columns={COLUMNS}
      {...TEXTS[decision]}
      onClose={onClose}
    />
  );
}
