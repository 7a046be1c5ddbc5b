import { useState } from 'react';
import type { PayrollBatch, RouteReply } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { MAX_REVERSED_LINES } from '#contract/payroll.ts';
import { call } from '#web/api/client.ts';
import { BulkDialog, MAX_LISTED, NotListed, useBulk, type BulkAct } from '#web/kit/bulk-act.tsx';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table } from '#web/ui/table.tsx';
import {
  checkReversal,
  NO_REVERSAL,
  ReversalFields,
  reversalOf,
  type ReversalValues,
} from './reversal-fields.tsx';
import { employeesWords } from './words.ts';

type Reply = RouteReply<'adminReversePayroll'>;

/** Lines that one request takes back: those after a number. */
interface Piece {
  after: number;
  /** Share of the payments that are left when the dialog opens. */
  payments: number;
}

/** Takes all lines of a payroll back that still have their money. Shown while it is mounted. */
export function ReverseBatch(props: { batch: PayrollBatch; onClose: () => void }) {
  const { onClose } = props;
  // The batch as it was when the dialog opened: each request changes the one behind it.
  const [batch] = useState(props.batch);
  const [replies] = useState(() => new Map<number, Reply>());
  const [items] = useState(() => piecesOf(batch));
  const state = useFormState({ initial: NO_REVERSAL, check: checkReversal });
  const bulk = useBulk<Piece, ReversalValues>({
    items,
    idOf: ({ after }) => String(after),
    send: async ({ after }, values, options) => {
      const input = { params: { id: batch.id }, body: { after, ...reversalOf(values) } };
      replies.set(after, await call('adminReversePayroll', input, options));
    },
    sizes: {
      of: ({ payments }) => payments,
      done: ({ after }) => replies.get(after)?.count ?? 0,
    },
    topics: ['payroll', 'wallets'],
    label: 'Reversing payments',
    drawResults: (act, close) => (
      <Results batch={batch} bulk={act} replies={replies} onClose={close} />
    ),
  });
  if (bulk.isOver) {
    return <Results batch={batch} bulk={bulk} replies={replies} onClose={onClose} />;
  }
  const left = money(
    BigInt(batch.paidTotal.minor) - BigInt(batch.reversedTotal.minor),
    batch.total.currency,
  );
  return (
    <FormDialog
      title="Reverse Payroll"
      state={state}
      task={{ submit: bulk.start, isPending: bulk.isRunning }}
      submit={{
        label: `Reverse ${formatMoney(left)}`,
        pending: bulk.turnWords('Reversing'),
        kind: 'danger',
      }}
      cancel={bulk.isRunning ? 'Continue in the Background' : 'Keep Payroll'}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <p>
            {`Every payment of ${batch.name} whose money is still in the employee’s wallet is taken back. Afterwards you see who has less.`}
          </p>
          <Facts
            isTight
            facts={[
              { label: 'Payments', value: employeesWords(paymentsLeft(batch)) },
              { label: 'Amount', value: <Money amount={left} /> },
            ]}
          />
          <ReversalFields who="employees" fields={fields} />
        </>
      )}
    </FormDialog>
  );
}

function paymentsLeft({ paidCount, reversedCount }: PayrollBatch): number {
  return paidCount - reversedCount;
}

/**
 * Pieces that have every line of a batch, in whatever order they are sent and however often: a request takes the next
 * lines after a number that are still paid, which are at least those of its piece.
 */
function piecesOf(batch: PayrollBatch): Piece[] {
  const left = paymentsLeft(batch);
  const pieces = left <= MAX_REVERSED_LINES ? 1 : Math.ceil(batch.employees / MAX_REVERSED_LINES);
  const paymentsBefore = (index: number) => Math.floor((index * left) / pieces);
  return Array.from({ length: pieces }, (_, index) => ({
    after: index * MAX_REVERSED_LINES,
    payments: paymentsBefore(index + 1) - paymentsBefore(index),
  }));
}

interface ResultsProps {
  batch: PayrollBatch;
  bulk: BulkAct<Piece>;
  /** Replies by the number of the line that they begin after. */
  replies: ReadonlyMap<number, Reply>;
  onClose: () => void;
}

function Results({ batch, bulk: { items, outcomeOf, retry }, replies, onClose }: ResultsProps) {
  const all = [...replies.values()];
  const kept = [
    ...new Map(all.flatMap((reply) => reply.kept.map((one) => [one.reference, one]))).values(),
  ];
  const done = all.reduce((sum, { count }) => sum + count, 0);
  const minor = all.reduce((sum, { total }) => sum + BigInt(total.minor), 0n);
  const outcomes = items.map((item) => ({ payments: item.payments, outcome: outcomeOf(item) }));
  const countOf = (kind: string | undefined) =>
    outcomes.reduce(
      (sum, { payments, outcome }) => (outcome?.kind === kind ? sum + payments : sum),
      0,
    );
  const refusals = new Set(
    outcomes.flatMap(({ outcome }) => (outcome?.kind === 'refused' ? [outcome.message] : [])),
  );
  return (
    <BulkDialog
      words={{ noun: 'payment', done: 'reversed' }}
      counts={{
        total: paymentsLeft(batch),
        done,
        refused: countOf('refused') + kept.length,
        unknown: countOf('unknown'),
        notBegun: countOf(undefined),
      }}
      {...(refusals.size > 0 && { why: [...refusals].join(' ') })}
      retry={retry}
      onClose={onClose}
    >
      <p role="status">
        {`${formatMoney(money(minor, batch.total.currency))} was taken back from ${employeesWords(done)}.`}
      </p>
      {kept.length > 0 && (
        <Table
          label="Payments that were not taken back"
          rows={kept.slice(0, MAX_LISTED)}
          rowKey={({ reference }) => reference}
          columns={[
            {
              id: 'employee',
              header: 'Not taken back',
              isRowHeader: true,
              cell: ({ employee, isOwn }) => (isOwn ? `${employee.name} (you)` : employee.name),
            },
            {
              id: 'left',
              header: 'Payment',
              align: 'right',
              cell: ({ left }) => <Money amount={left} />,
            },
            {
              id: 'available',
              header: 'Available',
              align: 'right',
              cell: ({ available }) => <Money amount={available} />,
            },
          ]}
        />
      )}
      <NotListed count={kept.length - MAX_LISTED} />
    </BulkDialog>
  );
}
