import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PayrollBatch, RouteArguments } from '#contract/api.ts';
import { ADMIN_PAGE_SIZE } from '#contract/limits.ts';
import { PAYROLL_STATUSES, type PayrollStatus } from '#contract/payroll.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { readPage, writePage, type Changes } from '#web/lib/address.ts';
import { formatCount, formatDate } from '#web/lib/format.ts';
import { useTypedSearch } from '#web/lib/typing.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FilterSelect, type SelectOption } from '#web/ui/select.tsx';
import { statusTable } from '#web/ui/status-table.ts';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
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
  timeZone: string;
  onAddressChange: (changes: Changes<HistorySearch>, replace?: boolean) => void;
  onOpen: (batchId: string) => void;
}

/** All batches, newest first. */
export function BatchHistory({ address, timeZone, onAddressChange, onOpen }: BatchHistoryProps) {
  const query = readQuery(address);
  const list = useQuery({
    ...apiQuery('listPayrollBatches', { query }),
    placeholderData: keepPreviousData,
  });
  const [typed, type] = useTypedSearch(query.search, (text) =>
    onAddressChange({ search: text || undefined, page: undefined }, true),
  );

  function instead() {
    if (list.isError) {
      return (
        <ErrorState
          title="Error Loading Payroll History"
          message={errorMessage(list.error, 'Please try again.')}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      );
    }
    if (list.data?.items.length !== 0) return undefined;
    return query.search !== '' || query.status !== 'all' ? (
      <EmptyState title="No batches found" hint="Try adjusting your search or filter criteria." />
    ) : (
      <EmptyState title="No payroll yet" hint="What you send shows here." />
    );
  }

  return (
    <>
      <div className="toolbar">
        <SearchField
          label="Search batches"
          placeholder="Search name, number or description"
          value={typed}
          onChange={type}
        />
        <FilterSelect
          label="Status"
          value={query.status}
          options={STATUS_OPTIONS}
          onChange={(status) =>
            onAddressChange({ status: status === 'all' ? undefined : status, page: undefined })
          }
        />
      </div>
      <Table
        label="Payroll batches"
        isDense
        columns={columnsOf(timeZone, onOpen)}
        rows={list.data?.items ?? []}
        rowKey={(batch) => batch.id}
        isLoading={list.isPending}
        instead={instead()}
      />
      {list.data !== undefined && (
        <Pagination
          page={list.data.page}
          pageSize={list.data.pageSize}
          total={list.data.total}
          things="batches"
          onPageChange={(page) => onAddressChange({ page: writePage(page) })}
        />
      )}
    </>
  );
}

function columnsOf(timeZone: string, onOpen: (batchId: string) => void): Column<PayrollBatch>[] {
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
      cell: (batch) => (
        <time className="muted nowrap" dateTime={batch.createdAt}>
          {formatDate(batch.createdAt, timeZone)}
        </time>
      ),
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
      cell: (batch) => (
        <Money
          minor={batch.total.minor}
          currency={batch.total.currency}
          isFaded={batch.status === 'failed'}
        />
      ),
    },
  ];
}
