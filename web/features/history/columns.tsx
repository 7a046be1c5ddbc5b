import { isVoid, TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import type { HistoryItem } from '#contract/api.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { Money } from '#web/ui/money.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import { Status } from '#web/ui/status.tsx';
import type { Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import './history.css';

/** Category on screen. Individual funding counts as payroll. */
export function categoryOf({ type }: Pick<HistoryItem, 'type'>): string {
  return TRANSACTION_TYPE_LABELS[type === 'funding' ? 'payroll' : type];
}

interface HistoryColumns {
  onOpen: (item: HistoryItem) => void;
  /**
   * True for the rows of a single account. On a phone the balance takes the place of the status.
   */
  hasBalance: boolean;
}

export function historyColumns({ onOpen, hasBalance }: HistoryColumns): Column<HistoryItem>[] {
  return [
    {
      id: 'description',
      header: 'Description',
      isRowHeader: true,
      narrow: 'start',
      cell: (item) => (
        <RowLink label={`Open ${item.description}, ${item.reference}`} onPress={() => onOpen(item)}>
          {item.description}
        </RowLink>
      ),
    },
    {
      id: 'category',
      header: 'Category',
      narrow: 'hidden',
      cell: (item) => <Tag>{categoryOf(item)}</Tag>,
    },
    timeColumn({
      id: 'date',
      header: 'Date and time',
      narrow: 'start-second',
      at: ({ at }) => at,
      as: 'dateTime',
    }),
    referenceColumn({ narrow: 'hidden', reference: ({ reference }) => reference }),
    statusColumn({ narrow: hasBalance ? 'hidden' : 'end-second', status: ({ status }) => status }),
    moneyColumn({
      narrow: 'end',
      amount: ({ amount }) => amount,
      isFaded: ({ status }) => isVoid(status),
      signs: 'always',
    }),
    ...(hasBalance ? [balanceColumn] : []),
  ];
}

const balanceColumn: Column<HistoryItem> = {
  id: 'balance',
  header: 'Balance',
  align: 'right',
  narrow: 'end-second',
  cell: ({ balanceAfter, status }) =>
    balanceAfter === null ? (
      <>
        <span className="history__wide" aria-hidden="true">
          –
        </span>
        <span className="history__narrow">
          <Status status={status} />
        </span>
      </>
    ) : (
      <>
        <span className="history__narrow">Balance </span>
        <Money amount={balanceAfter} />
      </>
    ),
};
