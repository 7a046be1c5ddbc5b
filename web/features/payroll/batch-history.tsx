import type { PayrollBatch, RouteArguments } from '#contract/api.ts';
import { ADMIN_PAGE_SIZE } from '#contract/limits.ts';
import { PAYROLL_STATUSES, type PayrollStatus } from '#contract/payroll.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { apiQuery } from '#web/api/query.ts';
import { readPage, writePage, type Changes } from '#web/lib/address.ts';
import { formatCount } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Money } from '#web/ui/money.tsx';
import { FilterSelect, type SelectOption } from '#web/ui/select.tsx';
import { statusTable } from '#web/ui/status-table.ts';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { DEPARTMENT_LABELS } from './words.ts';

/** What the address of the list may say; anything else means its default. */
export interface HistorySearch {
  search?: string;
  status?: string;
  page?: string;
}

const STATUS_OPTIONS: readonly SelectOption<PayrollStatus | 'all'>[] = [
  { value: 'all', label: 'All' },
  ...PAYROLL_STATUSES.map((value) => ({ value, label: statusTable[value].label })),
];

function readQuery(address: HistorySearch): RouteArguments<'listPayrollBatches'>['query'] {
  return {
    search: address.search ?? '',
    status: PAYROLL_STATUSES.find((status) => status === address.status) ?? 'all',
    page: readPage(address.page),
    pageSize: ADMIN_PAGE_SIZE,
  };
}

interface BatchHistoryProps {
  address: HistorySearch;
  onAddressChange: (changes: Changes<HistorySearch>, replace?: boolean) => void;
  onOpen: (batchId: string) => void;
}

/** All batches, newest first. */
export function BatchHistory({ address, onAddressChange, onOpen }: BatchHistoryProps) {
  const query = readQuery(address);
  const { search, status } = query;
  const list = usePagedList(
    apiQuery('listPayrollBatches', { query }),
    apiQuery('countPayrollBatches', { query: { search, status } }),
  );

  return (
    <ListFrame
      list={list}
      search={{
        label: 'Search batches',
        placeholder: 'Search name, number or description',
        text: search,
        onSearch: (text) => onAddressChange({ search: text || undefined, page: undefined }, true),
      }}
      filters={
        <FilterSelect
          label="Status"
          value={status}
          options={STATUS_OPTIONS}
          onChange={(value) =>
            onAddressChange({ status: value === 'all' ? undefined : value, page: undefined })
          }
        />
      }
      errorTitle="Error Loading Payroll History"
      empty={
        search !== '' || status !== 'all' ? (
          <EmptyState
            title="No batches found"
            hint="Try adjusting your search or filter criteria."
          />
        ) : (
          <EmptyState title="No payroll yet" hint="What you send shows here." />
        )
      }
      things="batches"
      onPageChange={(page) => onAddressChange({ page: writePage(page) })}
    >
      {(table) => (
        <Table
          {...table}
          label="Payroll batches"
          isDense
          columns={columnsOf(onOpen)}
          rowKey={(batch) => batch.id}
        />
      )}
    </ListFrame>
  );
}

function columnsOf(onOpen: (batchId: string) => void): Column<PayrollBatch>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      narrow: 'start',
      cell: (batch) => (
        <button
          type="button"
          className="row-link row-link--marked"
          aria-label={`Open ${batch.name}, batch ${batch.number}`}
          onClick={() => onOpen(batch.id)}
        >
          {batch.name}
        </button>
      ),
    },
    {
      id: 'number',
      header: 'Batch',
      narrow: 'hidden',
      cell: (batch) => <span className="id">{batch.number}</span>,
    },
    {
      id: 'department',
      header: 'Department',
      narrow: 'hidden',
      cell: (batch) => <span className="muted">{DEPARTMENT_LABELS[batch.department]}</span>,
    },
    {
      id: 'employees',
      header: 'Employees',
      align: 'right',
      narrow: 'hidden',
      cell: (batch) => formatCount(batch.employees),
    },
    {
      id: 'date',
      header: 'Date',
      narrow: 'start-second',
      cell: (batch) => <Time className="muted nowrap" at={batch.createdAt} as="date" />,
    },
    {
      id: 'status',
      header: 'Status',
      narrow: 'end-second',
      cell: (batch) => <Status status={batch.status} />,
    },
    {
      id: 'total',
      header: 'Total',
      align: 'right',
      narrow: 'end',
      cell: (batch) => <Money amount={batch.total} isFaded={batch.status === 'failed'} />,
    },
  ];
}
