import { TRANSACTION_TYPE_LABELS, type TransactionType } from '#contract/activity.ts';
import { transactionList } from '#contract/lists.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { transactionColumns } from '#web/features/history/log/columns.tsx';
import { PersonAlone } from '#web/kit/person-alone.tsx';
import {
  NewestBatchesNotice,
  TransactionFigures,
  useTransactionTotal,
} from '#web/features/history/log/figures.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { STATUS_FILTER } from '#web/kit/filters.ts';
import { useList } from '#web/kit/use-list.ts';

const WORDS = {
  label: 'Transactions, newest first',
  what: 'transactions',
  itemNoun: 'transactions',
  search: {
    label: 'Search transactions',
    placeholder: 'Search person, reference, description or amount',
  },
  none: { title: 'No transactions yet', hint: 'Every movement of money appears here.' },
  noMatch: 'No transactions found',
};

const FILTERS = {
  type: { label: 'Type', nameOf: (type: TransactionType) => TRANSACTION_TYPE_LABELS[type] },
  status: STATUS_FILTER,
  from: { label: 'From' },
  to: { label: 'To' },
  least: { label: 'At least' },
  most: { label: 'At most' },
};

/** `/admin/transactions`; `?person=` is set by links. */
export function TransactionsPage() {
  const list = useList(transactionList);
  const { person } = list.address;
  return (
    <>
      <ScreenHead actions={<ExportLink href={list.exportHref} label="Export" />} />
      {list.problem === undefined && <TransactionFigures view={list.view} />}
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={transactionColumns}
        total={useTransactionTotal(list.problem === undefined ? list.view : undefined)}
        goesToDays
        isExportInHead
        summary={
          <>
            <NewestBatchesNotice view={list.view} />
            {person !== '' && <PersonAlone id={person} onAll={() => list.change({ person: '' })} />}
          </>
        }
      />
    </>
  );
}
