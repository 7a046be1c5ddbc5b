import { useState } from 'react';
import type { AdminDeposit } from '#contract/api.ts';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import { formatMoney, money, type Currency, type Money as Amount } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { useEach, type Outcome } from '#web/kit/use-each.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

export interface BulkDeciding {
  decision: 'approve' | 'reject';
  deposits: readonly AdminDeposit[];
}

interface Given {
  deposit: AdminDeposit;
  /** For rejecting. */
  reason: string;
}

const WORDS = {
  approve: { verb: 'approve', done: 'approved', status: 'approved' },
  reject: { verb: 'reject', done: 'rejected', status: 'rejected' },
} as const;

/** Decides about several deposits, each by itself, and says what became of every one of them. */
export function BulkDecision({
  decision,
  deposits,
  onClose,
}: BulkDeciding & { onClose: () => void }) {
  const [given, setGiven] = useState<readonly Given[]>([]);
  const { run, outcomes, isRunning } = useEach<Given>({
    idOf: ({ deposit }) => deposit.id,
    send: ({ deposit: { id }, reason }, options) =>
      decision === 'approve'
        ? call('adminApproveDeposit', { params: { id } }, options)
        : call('adminRejectDeposit', { params: { id }, body: { reason } }, options),
    topic: 'deposits',
  });
  const start = (reason: string) => {
    const all = deposits.map((deposit) => ({ deposit, reason }));
    setGiven(all);
    void run(all);
  };
  const asked = { deposits, isRunning, done: outcomes.size };

  if (given.length > 0 && !isRunning) {
    return (
      <Results
        decision={decision}
        deposits={deposits}
        outcomes={outcomes}
        onRetry={() => void run(given)}
        onClose={onClose}
      />
    );
  }
  return decision === 'approve' ? (
    <ApproveQuestion {...asked} onConfirm={() => start('')} onClose={onClose} />
  ) : (
    <RejectQuestion {...asked} onConfirm={start} onClose={onClose} />
  );
}

interface QuestionProps {
  deposits: readonly AdminDeposit[];
  isRunning: boolean;
  /** How many had their turn. */
  done: number;
  onClose: () => void;
}

const turnWords = (words: string, { done, deposits }: QuestionProps) =>
  `${words} ${Math.min(done + 1, deposits.length)} of ${deposits.length}`;

function ApproveQuestion({ onConfirm, ...asked }: QuestionProps & { onConfirm: () => void }) {
  const { deposits, isRunning, onClose } = asked;
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
            pendingLabel={turnWords('Approving', asked)}
            onPress={onConfirm}
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

function RejectQuestion({
  onConfirm,
  ...asked
}: QuestionProps & { onConfirm: (reason: string) => void }) {
  const { deposits, isRunning, onClose } = asked;
  return (
    <ReasonDialog
      title={`Reject ${counted(deposits.length, 'deposit')}`}
      keepLabel="Keep Requests"
      confirmLabel={`Reject ${counted(deposits.length, 'Deposit')}`}
      emptyHint="Enter a reason to reject."
      maxLength={REASON_MAX_LENGTH}
      isPending={isRunning}
      pendingLabel={turnWords('Rejecting', asked)}
      onClose={() => !isRunning && onClose()}
      onConfirm={onConfirm}
    >
      <Money amount={sumOf(deposits, useCompany().currency)} />. Nothing is added to a wallet. Each
      employee reads this reason.
    </ReasonDialog>
  );
}

interface ResultsProps extends BulkDeciding {
  outcomes: ReadonlyMap<string, Outcome>;
  onRetry: () => void;
  onClose: () => void;
}

function Results({ decision, deposits, outcomes, onRetry, onClose }: ResultsProps) {
  const words = WORDS[decision];
  const { currency } = useCompany();
  const of = (kind: Outcome['kind']) =>
    deposits.filter(({ id }) => outcomes.get(id)?.kind === kind);
  const [done, refused, unknown] = [of('done'), of('refused'), of('unknown')];
  const outcomeColumn: Column<AdminDeposit> = {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ id }) => {
      const outcome = outcomes.get(id);
      if (outcome?.kind === 'done') return <Status status={words.status} isFinal />;
      if (outcome?.kind === 'refused') return <Status status="failed" label={outcome.message} />;
      return <Status status="pending" label="No answer came" />;
    },
  };
  return (
    <Dialog
      title={`${done.length} of ${counted(deposits.length, 'deposit')} ${words.done}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          {unknown.length > 0 && <Button onPress={onRetry}>Try Again</Button>}
          <Button kind="solid" onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      {refused.length > 0 && (
        <div className="mb-4">
          <Notice tone="caution">
            <span className="strong">
              {refused.length === 1
                ? `One was not ${words.done}.`
                : `${refused.length} were not ${words.done}.`}
            </span>{' '}
            The table says why.
          </Notice>
        </div>
      )}
      {unknown.length > 0 && (
        <div className="mb-4">
          <Notice tone="caution">
            <span className="strong">Of {counted(unknown.length, 'deposit')} no answer came.</span>{' '}
            Trying again cannot {words.verb} a deposit twice.
          </Notice>
        </div>
      )}
      <Table
        label="What happened"
        isDense
        rows={deposits}
        rowKey={({ id }) => id}
        columns={[
          employeeColumn(decision === 'approve' ? 'In wallets now' : 'Rejected'),
          outcomeColumn,
          {
            id: 'amount',
            header: 'Amount',
            align: 'right',
            cell: ({ id, amount }) => {
              const isDone = outcomes.get(id)?.kind === 'done';
              const isIn = isDone && decision === 'approve';
              return (
                <Money amount={amount} isFaded={!isDone} signs={isIn ? 'always' : undefined} />
              );
            },
            total: (
              <Money
                amount={sumOf(done, currency)}
                signs={decision === 'approve' ? 'always' : undefined}
              />
            ),
          },
        ]}
      />
    </Dialog>
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
