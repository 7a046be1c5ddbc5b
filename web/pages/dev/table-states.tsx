import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FilterSelect } from '#web/ui/select.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { Status } from '#web/ui/status.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import type { Sort } from '#web/ui/table-head.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { specimen } from './specimen.ts';

interface Entry {
  what: string;
  date: string;
  reference: string;
  status: StatusName;
  minor: bigint;
}

const entries: Entry[] = [
  {
    what: 'Payroll, November 2026',
    date: 'Nov 30',
    reference: 'PAY-1204-17',
    status: 'completed',
    minor: 242640n,
  },
  {
    what: 'Withdrawal to Cascade Federal ••2208',
    date: 'Nov 28',
    reference: 'TXN-1795056918',
    status: 'pending',
    minor: -40000n,
  },
  {
    what: 'Withdrawal to Cascade Federal ••2208',
    date: 'Nov 16',
    reference: 'TXN-1795044102',
    status: 'failed',
    minor: -111111n,
  },
];

const referenceColumn: Column<Entry> = {
  id: 'reference',
  header: 'Reference',
  cell: ({ reference }) => (
    <span className="id" translate="no">
      {reference}
    </span>
  ),
};

const columns: Column<Entry>[] = [
  {
    id: 'what',
    header: 'Description',
    cell: ({ what }) => what,
    isSortable: true,
    isRowHeader: true,
    narrow: 'start',
  },
  {
    id: 'date',
    header: 'Date',
    cell: ({ date }) => <span className="num nowrap">{date}</span>,
    isSortable: true,
    narrow: 'start-second',
  },
  { ...referenceColumn, narrow: 'hidden' },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Status status={status} />,
    narrow: 'end-second',
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ minor, status }) => (
      <Money amount={specimen(minor)} signs="always" isFaded={status === 'failed'} />
    ),
    narrow: 'end',
  },
];

const adminColumns: Column<Entry>[] = [
  { id: 'what', header: 'Employee', cell: () => 'Maya Castellanos', isRowHeader: true },
  referenceColumn,
  { id: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ minor }) => <Money amount={specimen(minor)} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'right',
    cell: ({ reference }) => (
      <span className="table__acts">
        <Button kind="danger" shape="text" aria-label={`Reject ${reference}`}>
          Reject
        </Button>
        <Button kind="money" shape="text" aria-label={`Approve ${reference}`}>
          Approve
        </Button>
      </span>
    ),
  },
];

const statusFilter = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Pending' },
];

const keyOf = ({ reference }: Entry) => reference;
const none = { columns, rows: [], rowKey: keyOf };

export function FiguresAndTables() {
  const [sort, setSort] = useState<Sort>({ column: 'date', direction: 'descending' });
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('all');
  return (
    <>
      <Stats>
        <Stat
          label="Total Deposits"
          value={<Money amount={specimen(2911680n)} />}
          note="12 this year"
        />
        <Stat label="Total Withdrawals" value={<Money amount={specimen(740000n)} />} />
        <Stat label="Employees" value="60" note="54 with verified identity" />
        <Stat label="Pending" value={<SkeletonBar width="short" />} />
      </Stats>
      <div className="section">
        <div className="toolbar">
          <SearchField label="Search transactions" value={search} onChange={setSearch} />
          <FilterSelect label="Status" value={status} onChange={setStatus} options={statusFilter} />
          <div className="toolbar__end">
            <Button>Export CSV</Button>
          </div>
        </div>
        <Table
          label="Transactions"
          columns={columns}
          rows={entries}
          rowKey={keyOf}
          sort={sort}
          onSort={setSort}
        />
      </div>
      <div className="section">
        <Table
          label="Requests"
          isDense
          columns={adminColumns}
          rows={entries}
          rowKey={keyOf}
          isSelected={({ status: now }) => now === 'pending'}
        />
      </div>
      <div className="section">
        <Table label="Transactions while loading" {...none} isLoading />
      </div>
      <div className="section">
        <Table
          label="Transactions, none"
          {...none}
          placeholder={
            <EmptyState
              title="No transactions found"
              hint="Try adjusting your search or filter criteria."
            />
          }
        />
      </div>
    </>
  );
}

export function TabsAndPages() {
  const [tab, setTab] = useState<'profile' | 'security' | 'kyc'>('profile');
  const [page, setPage] = useState(5);
  return (
    <>
      <Tabs
        label="Profile settings"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'profile', label: 'Profile', content: <p>Personal data.</p> },
          { id: 'security', label: 'Security', content: <p>Password.</p> },
          { id: 'kyc', label: 'KYC Info', content: <p>Documents.</p> },
        ]}
      />
      <Pagination
        place={{
          kind: 'numbered',
          page,
          pageSize: 10,
          shown: page === 9 ? 7 : 10,
          hasMore: page < 9,
          total: 87,
        }}
        itemNoun="transactions"
        onGoTo={(target) => 'page' in target && setPage(target.page)}
      />
      <Pagination
        place={{
          kind: 'numbered',
          page: 1,
          pageSize: 10,
          shown: 10,
          hasMore: true,
          total: undefined,
        }}
        itemNoun="transactions"
        onGoTo={() => undefined}
      />
      <Pagination
        place={{ kind: 'cursor', shown: 50, previous: null, next: 'next' }}
        itemNoun="transactions"
        onGoTo={() => undefined}
      />
    </>
  );
}
