import type { HistoryItem } from '#contract/api.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';

interface RecentActivityProps {
  /** Accessible name of the table. */
  label: string;
  items: readonly HistoryItem[];
  /** Text for an empty list. */
  empty?: { title: string; hint: string };
}

const NO_TRANSACTIONS = {
  title: 'No transactions found',
  hint: 'Your first payroll or deposit will show here.',
};

/** Last few movements of a person's money, newest first. */
export function RecentActivity({ label, items, empty = NO_TRANSACTIONS }: RecentActivityProps) {
  const columns: readonly Column<HistoryItem>[] = [
    {
      id: 'description',
      header: 'Description',
      isRowHeader: true,
      narrow: 'start',
      cell: (item) => <Clipped>{item.description}</Clipped>,
    },
    {
      id: 'date',
      header: 'Date',
      narrow: 'start-second',
      cell: (item) => <Time className="muted nowrap" at={item.at} as="shortDateTime" />,
    },
    {
      id: 'status',
      header: 'Status',
      narrow: 'end-second',
      cell: (item) => <Status status={item.status} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: (item) => (
        <Money
          amount={item.amount}
          signs="always"
          isFaded={item.status === 'failed' || item.status === 'cancelled'}
        />
      ),
    },
  ];
  return <Table label={label} columns={columns} rows={items} empty={<EmptyState {...empty} />} />;
}
