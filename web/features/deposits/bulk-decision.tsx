import type { AdminDeposit } from '#contract/api.ts';
import type { BulkWords } from '#web/kit/bulk-act.tsx';
import { BulkDecision } from '#web/kit/bulk-decision.tsx';
import type { Column } from '#web/ui/table.tsx';
import { DECISIONS, type DecisionName } from './deposit-decision.tsx';

/** Deposits that are being decided about. */
export interface BulkDeciding {
  decision: DecisionName;
  deposits: readonly AdminDeposit[];
}

const WORDS: Record<DecisionName, BulkWords> = {
  approve: { noun: 'deposit', verb: 'approve', done: 'approved', status: 'approved' },
  reject: { noun: 'deposit', verb: 'reject', done: 'rejected', status: 'rejected' },
};

const COLUMNS: readonly Column<AdminDeposit>[] = [
  {
    id: 'to',
    header: 'To',
    cell: ({ walletName, walletLast4 }) => (
      <span className="muted">{`${walletName} ••${walletLast4}`}</span>
    ),
  },
];

/** Asks before several deposits are approved or rejected. */
export function BulkDepositDecision({
  decision,
  deposits,
  onClose,
}: BulkDeciding & { onClose: () => void }) {
  const isApproval = decision === 'approve';
  return (
    <BulkDecision
      decision={DECISIONS[decision]}
      words={WORDS[decision]}
      rows={deposits}
      topic="deposits"
      columns={COLUMNS}
      consequence={
        isApproval
          ? 'The money is in the wallets at once. Each employee is notified.'
          : 'Nothing is added to a wallet.'
      }
      doneTotal={isApproval ? 'In wallets now' : 'Rejected'}
      isReceived={isApproval}
      onClose={onClose}
    />
  );
}
