import { useState } from 'react';
import type { PayrollBatch, RouteReply } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { call, type CallOptions } from '#web/api/client.ts';
import { newKey } from '#web/lib/new-key.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table } from '#web/ui/table.tsx';
import {
  checkReversal,
  NO_REVERSAL,
  ReversalFields,
  type ReversalValues,
} from './reverse-line.tsx';
import { employeesWords } from './words.ts';

type Reply = RouteReply<'adminReversePayroll'>;
type Kept = Reply['kept'][number];

interface Result {
  count: number;
  minor: bigint;
  kept: readonly Kept[];
}

/** Takes all lines of a payroll back that still have their money. Shown while it is mounted. */
export function ReverseBatch({ batch, onClose }: { batch: PayrollBatch; onClose: () => void }) {
  const [result, setResult] = useState<Result>();
  if (result !== undefined) return <Outcome batch={batch} result={result} onClose={onClose} />;
  const left = money(
    BigInt(batch.paidTotal.minor) - BigInt(batch.reversedTotal.minor),
    batch.total.currency,
  );
  return (
    <TaskDialog
      title="Reverse Payroll"
      initial={NO_REVERSAL}
      check={checkReversal}
      send={(values: ReversalValues, options) => reverseAll(batch.id, values, options)}
      topics={['payroll', 'wallets']}
      sent={{ what: 'the reversal', where: 'in the lines of this payroll' }}
      submit={{ label: `Reverse ${formatMoney(left)}`, pending: 'Reversing', kind: 'danger' }}
      cancel="Keep Payroll"
      onDone={setResult}
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
              {
                label: 'Payments',
                value: employeesWords(batch.paidCount - batch.reversedCount),
              },
              { label: 'Amount', value: <Money amount={left} /> },
            ]}
          />
          <ReversalFields who="employees" fields={fields} />
        </>
      )}
    </TaskDialog>
  );
}

/** Asks for some hundreds of lines after the other, until none follows. */
async function reverseAll(
  id: string,
  { reason, message }: ReversalValues,
  options: CallOptions,
): Promise<Result> {
  if (reason === '') throw new Error('Sent a reversal without a reason');
  let result: Result = { count: 0, minor: 0n, kept: [] };
  let after: number | null = 0;
  let key = options;
  while (after !== null) {
    const body: { after: number; reason: typeof reason; message: string } = {
      ...{ after, reason, message },
    };
    const reply: Reply = await call('adminReversePayroll', { params: { id }, body }, key);
    result = {
      count: result.count + reply.count,
      minor: result.minor + BigInt(reply.total.minor),
      kept: [...result.kept, ...reply.kept],
    };
    after = reply.next;
    // A line that was taken back is not asked for again, so each request may have a key of its own.
    key = { ...options, idempotencyKey: newKey() };
  }
  return result;
}

function Outcome({
  batch,
  result,
  onClose,
}: {
  batch: PayrollBatch;
  result: Result;
  onClose: () => void;
}) {
  const { count, minor, kept } = result;
  return (
    <Dialog
      title="Payroll Reversed"
      isOpen
      onClose={onClose}
      actions={
        <Button kind="solid" onPress={onClose}>
          Close
        </Button>
      }
    >
      <div className="dialog__parts">
        <p role="status">
          {`${formatMoney(money(minor, batch.total.currency))} was taken back from ${employeesWords(count)}.`}
        </p>
        {kept.length > 0 && (
          <Table
            label="Payments that were not taken back"
            rows={kept}
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
      </div>
    </Dialog>
  );
}
