import { failedToLoad } from '#web/kit/query-error.tsx';
import { useNavigate } from '@tanstack/react-router';
import type { HistoryItem } from '#contract/api.ts';
import { receiptList } from '#contract/lists.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { documentActsColumn } from './acts.tsx';
import { useDocumentsPlace } from './place.ts';

interface ReceiptsProps {
  year: number;
  page: number;
  onPage: (page: number) => void;
}

/** Receipts of a year. The screen holds the year, so the address of this list has only the page. */
export function Receipts({ year, page, onPage }: ReceiptsProps) {
  const navigate = useNavigate();
  const place = useDocumentsPlace();
  const days = { from: `${year}-01-01`, to: `${year}-12-31` };
  const rows = { query: { ...days, page, pageSize: receiptList.pageSize } };
  const list = usePagedList<HistoryItem>(
    {
      queryKey: ['listReceipts', rows],
      queryFn: ({ signal }) => call('listReceipts', rows, { signal }),
    },
    {
      queryKey: ['countReceipts', days],
      queryFn: ({ signal }) => call('countReceipts', { query: days }, { signal }),
    },
  );
  return (
    <ListFrame
      list={list}
      errorTitle={failedToLoad('your receipts')}
      empty={
        <EmptyState
          title={`No receipts in ${year}`}
          hint="Deposits, withdrawals, bills and payments get a receipt when the money has moved."
        />
      }
      itemNoun="receipts"
      onGoTo={(target) => 'page' in target && onPage(target.page)}
    >
      {(table) => (
        <Table
          {...table}
          label="Receipts, newest first"
          columns={columnsOf(
            ({ documentId }) =>
              documentId !== null && void navigate({ href: place.screen(documentId) }),
          )}
        />
      )}
    </ListFrame>
  );
}

function columnsOf(open: (item: HistoryItem) => void): Column<HistoryItem>[] {
  return [
    {
      id: 'receipt',
      header: 'Receipt',
      isRowHeader: true,
      narrow: 'start',
      cell: (item) => (
        <RowLink
          label={`Open the receipt of ${item.description}, ${item.reference}`}
          onPress={() => open(item)}
        >
          {item.description}
        </RowLink>
      ),
    },
    timeColumn({
      id: 'date',
      header: 'Date',
      narrow: 'start-second',
      at: ({ at }) => at,
      as: 'date',
      by: 'company',
    }),
    referenceColumn({ narrow: 'hidden', reference: ({ reference }) => reference }),
    moneyColumn({ narrow: 'end', amount: ({ amount }) => amount, signs: 'always' }),
    documentActsColumn(({ documentId, reference }) =>
      documentId === null ? '' : { id: documentId, name: `receipt ${reference}` },
    ),
  ];
}
