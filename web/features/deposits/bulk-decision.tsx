import type { AdminDeposit } from '#contract/api.ts';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import { formatMoney, money, type Currency, type Money as Amount } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { BulkResults, useBulk, type BulkRun, type BulkWords } from '#web/kit/bulk-act.tsx';
import { useCompany } from '#web/lib/company.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

export interface BulkDeciding {
  decision: 'approve' | 'reject';
  deposits: readonly AdminDeposit[];
}

const WORDS: Record<BulkDeciding['decision'], BulkWords> = {
  approve: { noun: 'deposit', verb: 'approve', done: 'approved', status: 'approved' },
  reject: { noun: 'deposit', verb: 'reject', done: 'rejected', status: 'rejected' },
};

/** Decides about several deposits, each by itself, and says what became of every one of them. */
export function BulkDecision({
  decision,
  deposits,
  onClose,
}: BulkDeciding & { onClose: () => void }) {
  const bulk = useBulk<AdminDeposit, string>({
    items: deposits,
    idOf: ({ id }) => id,
    send: ({ id }, reason, options) =>
      decision === 'approve'
        ? call('adminApproveDeposit', { params: { id } }, options)
        : call('adminRejectDeposit', { params: { id }, body: { reason } }, options),
    topic: 'deposits',
  });
  if (bulk.isOver) return <Results decision={decision} bulk={bulk} onClose={onClose} />;
  return decision === 'approve' ? (
    <ApproveQuestion bulk={bulk} onClose={onClose} />
  ) : (
    <RejectQuestion bulk={bulk} onClose={onClose} />
  );
}

interface QuestionProps {
  bulk: BulkRun<AdminDeposit, string>;
  onClose: () => void;
}

function ApproveQuestion({ bulk, onClose }: QuestionProps) {
  const { items: deposits, isRunning } = bulk;
  const total = sumOf(deposits, useCompany().currency);
  return (
    <Dialog
      role="alertdialog"
      title={`Approve ${counted(deposits.length, 'deposit')}?`}
      isOpen
      onClose={() => !isRunning && onClose()}
      actions={
        <>
          <Button onPress={onClose} isDisabled={isRunning}>
            Cancel
          </Button>
          <Button
            kind="money"
            isPending={isRunning}
            pendingLabel={bulk.turnWords('Approving')}
            onPress={() => bulk.start('')}
          >
            Approve {formatMoney(total)}
          </Button>
        </>
      }
    >
      <Table
        label="Deposits to approve"
        isDense
        rows={deposits}
        rowKey={({ id }) => id}
        columns={[
          employeeColumn(`Total, ${counted(deposits.length, 'deposit')}`),
          {
            id: 'to',
            header: 'To',
            cell: ({ walletName, walletLast4 }) => (
              <span className="muted">{`${walletName} ••${walletLast4}`}</span>
            ),
          },
          {
            id: 'amount',
            header: 'Amount',
            align: 'right',
            cell: ({ amount }) => <Money amount={amount} />,
            total: <Money amount={total} />,
          },
        ]}
      />
      <p className="meta mt-4">The money is in the wallets at once. Each employee is notified.</p>
    </Dialog>
  );
}

function RejectQuestion({ bulk, onClose }: QuestionProps) {
  const { items: deposits, isRunning } = bulk;
  return (
    <ReasonDialog
      title={`Reject ${counted(deposits.length, 'deposit')}`}
      keepLabel="Keep Requests"
      confirmLabel={`Reject ${counted(deposits.length, 'Deposit')}`}
      emptyHint="Enter a reason to reject."
      maxLength={REASON_MAX_LENGTH}
      isPending={isRunning}
      pendingLabel={bulk.turnWords('Rejecting')}
      onClose={() => !isRunning && onClose()}
      onConfirm={bulk.start}
    >
      <Money amount={sumOf(deposits, useCompany().currency)} />. Nothing is added to a wallet. Each
      employee reads this reason.
    </ReasonDialog>
  );
}

function Results({ decision, bulk, onClose }: QuestionProps & Pick<BulkDeciding, 'decision'>) {
  const { currency } = useCompany();
  const isDone = (deposit: AdminDeposit) => bulk.outcomeOf(deposit)?.kind === 'done';
  const signs = decision === 'approve' ? 'always' : undefined;
  return (
    <BulkResults
      bulk={bulk}
      words={WORDS[decision]}
      rowKey={({ id }) => id}
      name={employeeColumn(decision === 'approve' ? 'In wallets now' : 'Rejected')}
      further={[
        {
          id: 'amount',
          header: 'Amount',
          align: 'right',
          cell: (deposit) => (
            <Money
              amount={deposit.amount}
              isFaded={!isDone(deposit)}
              signs={isDone(deposit) ? signs : undefined}
            />
          ),
          total: <Money amount={sumOf(bulk.items.filter(isDone), currency)} signs={signs} />,
        },
      ]}
      onClose={onClose}
    />
  );
}

function employeeColumn(total: string): Column<AdminDeposit> {
  return {
    id: 'employee',
    header: 'Employee',
    isRowHeader: true,
    cell: ({ employee }) => employee.name,
    total,
  };
}

/** Their sum, in the company's currency. */
export function sumOf(deposits: readonly AdminDeposit[], currency: Currency): Amount {
  return money(
    deposits.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n),
    currency,
  );
}
