import type { PayrollBatch } from '#contract/api.ts';
import { payrollBatchList } from '#contract/lists.ts';
import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { STATUS_FILTER } from '#web/kit/filters.ts';
import { useList } from '#web/kit/use-list.ts';
import { formatCount } from '#web/lib/format.ts';
import { statusTable } from '#web/ui/status-table.ts';
import { RowLink } from '#web/ui/row-link.tsx';
import type { Column } from '#web/ui/table.tsx';
import { ApproverNote, BatchApproval } from './batch-approval.tsx';
import { WindowRow } from './batch-window.tsx';
import { DEPARTMENT_LABELS } from './words.ts';

const WORDS = {
  label: 'Payroll batches',
  itemNoun: 'batches',
  search: { label: 'Search batches', placeholder: 'Search name, number or description' },
  none: { title: 'No payroll yet', hint: 'Payrolls you send appear here.' },
  noMatch: 'No batches found',
};

/** All batches, newest first. */
export function BatchHistory({ onOpen }: { onOpen: (batchId: string) => void }) {
  const list = useList(payrollBatchList);
  const hasActions = list.paged.rows.some(
    ({ approval, window }) => approval !== null || window !== null,
  );
  return (
    <ListPage
      state={list}
      words={WORDS}
      filters={{ status: STATUS_FILTER }}
      columns={columnsOf(onOpen, hasActions)}
      rowKey={({ id }) => id}
    />
  );
}

/** Approve, Decline and Stop. The column appears only if a batch on the page offers one of them. */
const ACTIONS: Column<PayrollBatch> = {
  ...ACTIONS_COLUMN,
  isPinned: true,
  narrow: 'end-second',
  cell: (batch) => (
    <>
      <BatchApproval batch={batch} isRow />
      <WindowRow batch={batch} />
    </>
  ),
};

function columnsOf(
  onOpen: (batchId: string) => void,
  hasActions: boolean,
): readonly Column<PayrollBatch>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ id, name, number, approval }) => (
        <>
          <RowLink label={`Open ${name}, batch ${number}`} isMarked onPress={() => onOpen(id)}>
            {name}
          </RowLink>
          {approval !== null && (
            <span className="approval__note">
              <ApproverNote approval={approval} />
            </span>
          )}
        </>
      ),
    },
    referenceColumn({
      id: 'number',
      header: 'Batch',
      narrow: 'hidden',
      reference: ({ number }) => number,
    }),
    textColumn({
      id: 'for',
      header: 'For',
      narrow: 'hidden',
      text: ({ fundedEmployee, department }) =>
        fundedEmployee?.name ?? DEPARTMENT_LABELS[department],
    }),
    textColumn({
      id: 'description',
      header: 'Description',
      narrow: 'hidden',
      isWideOnly: true,
      text: ({ description }) => description,
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
      by: 'company',
    }),
    statusColumn({
      narrow: 'end-second',
      status: ({ status, declined, stopped }) => {
        if (stopped !== null) return 'cancelled';
        return declined === null ? status : 'rejected';
      },
      label: ({ status, approval, declined, stopped }) => {
        if (stopped !== null) return 'Stopped';
        if (declined !== null) return 'Declined';
        return approval === null ? statusTable[status].label : 'Needs approval';
      },
    }),
    moneyColumn({
      id: 'total',
      header: 'Total',
      narrow: 'end',
      amount: ({ total }) => total,
      isFaded: ({ status }) => status === 'failed' || status === 'draft',
    }),
    ...(hasActions ? [ACTIONS] : []),
  ];
}
