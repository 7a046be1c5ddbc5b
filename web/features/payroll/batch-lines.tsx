import type { PayrollBatch, PayrollLine } from '#contract/api.ts';
import { ADMIN_PAGE_SIZE } from '#contract/limits.ts';
import { PAYROLL_LINE_STATUSES, type PayrollLineStatus } from '#contract/payroll.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Money } from '#web/ui/money.tsx';
import { FilterSelect, type SelectOption } from '#web/ui/select.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useBatchLines } from './use-batch.ts';
import { LINE_STATUS_LABELS, employeesWords, reasonWords } from './words.ts';

type LineFilter = PayrollLineStatus | 'all';

const STATUS_OPTIONS: readonly SelectOption<LineFilter>[] = [
  { value: 'all', label: 'All' },
  ...PAYROLL_LINE_STATUSES.map((value) => ({ value, label: LINE_STATUS_LABELS[value] })),
];

/** Which lines are looked at; kept in the address. */
export interface LinesView {
  status: LineFilter;
  page: number;
}

/** Reads the state filter from an address. */
export function readLineFilter(text: string | undefined): LineFilter {
  return PAYROLL_LINE_STATUSES.find((status) => status === text) ?? 'all';
}

interface BatchLinesProps {
  batch: PayrollBatch;
  view: LinesView;
  onViewChange: (view: LinesView) => void;
}

/** Each person of a batch: paid with which reference, waiting, or why not. */
export function BatchLines({ batch, view, onViewChange }: BatchLinesProps) {
  const { status, page } = view;
  const lines = useBatchLines(batch, { status, page, pageSize: ADMIN_PAGE_SIZE, search: '' });

  return (
    <div className="batch__lines">
      <ListFrame
        list={lines}
        filters={
          <FilterSelect
            label="Status"
            value={status}
            options={STATUS_OPTIONS}
            onChange={(chosen) => onViewChange({ status: chosen, page: 1 })}
          />
        }
        errorTitle="Error Loading Lines"
        empty={<EmptyState title="No lines found" hint="No line of this batch has this status." />}
        things="lines"
        onPageChange={(next) => onViewChange({ status, page: next })}
        hidesSinglePage
      >
        {(table) => (
          <Table
            {...table}
            label="Lines of this batch"
            isDense
            columns={columnsOf(batch, status === 'all')}
            rowKey={(line) => line.id}
          />
        )}
      </ListFrame>
    </div>
  );
}

/** With all lines in view the table closes with the batch's total; it counts those to be paid. */
function columnsOf(batch: PayrollBatch, hasTotal: boolean): Column<PayrollLine>[] {
  const hasReasons = batch.skippedCount > 0 || batch.failedCount > 0;
  return [
    {
      id: 'employee',
      header: 'Employee',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ employee }) => employee.name,
      ...(hasTotal ? { total: `Total, ${employeesWords(batch.employees)}` } : {}),
    },
    {
      id: 'reference',
      header: hasReasons ? 'Reference or reason' : 'Reference',
      narrow: 'start-second',
      cell: (line) => <span className="id">{referenceOrReason(line, batch)}</span>,
    },
    {
      id: 'status',
      header: 'Status',
      narrow: 'end-second',
      cell: (line) => <Status status={line.status} label={LINE_STATUS_LABELS[line.status]} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: ({ amount, status }) => <Money amount={amount} isFaded={status !== 'processed'} />,
      ...(hasTotal ? { total: <Money amount={batch.total} /> } : {}),
    },
  ];
}

/** What names the payment, once there is one; otherwise why there is none. */
function referenceOrReason({ reference, reason }: PayrollLine, batch: PayrollBatch): string {
  if (reference !== null) return reference;
  return reason === null ? '–' : reasonWords(reason, batch.walletType);
}
