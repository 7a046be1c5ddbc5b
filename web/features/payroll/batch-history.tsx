import type { PayrollBatch } from '#contract/api.ts';
import { payrollBatchList } from '#contract/lists.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { STATUS_FILTER } from '#web/kit/status-filter.ts';
import { useList } from '#web/kit/use-list.ts';
import { formatCount } from '#web/lib/format.ts';
import { RowLink } from '#web/ui/row-link.tsx';
import type { Column } from '#web/ui/table.tsx';
import { DEPARTMENT_LABELS } from './words.ts';

const WORDS = {
  label: 'Payroll batches',
  itemNoun: 'batches',
  search: { label: 'Search batches', placeholder: 'Search name, number or description' },
  error: 'Error Loading Payroll History',
  none: { title: 'No payroll yet', hint: 'What you send shows here.' },
  noMatch: 'No batches found',
};

/** All batches, newest first. */
export function BatchHistory({ onOpen }: { onOpen: (batchId: string) => void }) {
  return (
    <ListPage
      state={useList(payrollBatchList)}
      words={WORDS}
      filters={{ status: STATUS_FILTER }}
      columns={columnsOf(onOpen)}
      rowKey={({ id }) => id}
    />
  );
}

function columnsOf(onOpen: (batchId: string) => void): readonly Column<PayrollBatch>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ id, name, number }) => (
        <RowLink label={`Open ${name}, batch ${number}`} isMarked onPress={() => onOpen(id)}>
          {name}
        </RowLink>
      ),
    },
    referenceColumn({
      id: 'number',
      header: 'Batch',
      narrow: 'hidden',
      reference: ({ number }) => number,
    }),
    textColumn({
      id: 'department',
      header: 'Department',
      narrow: 'hidden',
      text: ({ department }) => DEPARTMENT_LABELS[department],
    }),
    {
      id: 'employees',
      header: 'Employees',
      align: 'right',
      narrow: 'hidden',
      cell: ({ employees }) => formatCount(employees),
    },
    timeColumn({
      id: 'date',
      header: 'Date',
      narrow: 'start-second',
      at: ({ createdAt }) => createdAt,
      as: 'date',
    }),
    statusColumn({ narrow: 'end-second', status: ({ status }) => status }),
    moneyColumn({
      id: 'total',
      header: 'Total',
      narrow: 'end',
      amount: ({ total }) => total,
      isFaded: ({ status }) => status === 'failed',
    }),
  ];
}
