import { useNavigate, useSearch } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { TransactionCategory } from '#contract/activity.ts';
import { historyList } from '#contract/lists.ts';
import { WALLET_LABELS, type WalletType } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { AccountSpan } from '#web/features/history/account-span.tsx';
import { historyColumns } from '#web/features/history/columns.tsx';
import { TransactionDetails } from '#web/features/history/details.tsx';
import { StatementLinks } from '#web/features/history/statement-links.tsx';
import { HistoryTotals } from '#web/features/history/totals.tsx';
import { Questions } from '#web/features/questions/questions.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { STATUS_FILTER } from '#web/kit/filters.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { useList } from '#web/kit/use-list.ts';

const WORDS = {
  label: 'Transactions, newest first',
  itemNoun: 'transactions',
  search: {
    label: 'Search transactions',
    placeholder: 'Search description, reference or amount',
  },
  error: 'Error Loading Transactions',
  none: {
    title: 'No transactions found',
    hint: 'Your first payroll or deposit will show here.',
  },
  noMatch: 'No transactions found',
};

const CATEGORY_LABELS: Record<TransactionCategory, string> = {
  deposit: 'Deposits',
  withdrawal: 'Withdrawals',
  payroll: 'Payroll',
  transfer: 'Transfers',
};

/** `/employee/history`; `?transaction=` opens one, `?question=` the one that a question is about. */
export function HistoryPage() {
  const list = useList(historyList);
  const { transaction, question } = useSearch({ from: '/employee/employee/history' });
  const asked = useQuery({
    ...apiQuery('getQuestion', { params: { id: question ?? '' } }),
    enabled: question !== undefined,
  });
  const opened = transaction ?? (question === undefined ? undefined : asked.data?.eventId);
  const wallets = useQuery(apiQuery('listWallets', {}));
  const navigate = useNavigate({ from: '/employee/history' });
  const open = (id: string | undefined) =>
    void navigate({
      search: ({ transaction: _t, question: _q, ...view }) => ({
        ...view,
        ...(id && { transaction: id }),
      }),
    });
  const { account, from, to } = list.address;
  const accounts = wallets.data?.accounts ?? [];

  return (
    <>
      <ScreenHead
        actions={
          <>
            <LinkButton href="/employee/documents">Documents</LinkButton>
            <ExportLink href={list.exportHref} label="Export" />
          </>
        }
      />
      <HistoryTotals />
      <ListPage
        state={list}
        words={WORDS}
        filters={{
          account: {
            label: 'Account',
            nameOf: (type: WalletType) => WALLET_LABELS[type],
            offers: (type: WalletType) => accounts.some((own) => own.type === type),
          },
          type: {
            label: 'Type',
            nameOf: (category: TransactionCategory) => CATEGORY_LABELS[category],
          },
          status: STATUS_FILTER,
          from: { label: 'From' },
          to: { label: 'To' },
        }}
        columns={historyColumns({
          onOpen: ({ id }) => open(id),
          hasBalance: account !== 'all',
        })}
        isExportInHead
        summary={
          <>
            {account !== 'all' && (from !== '' || to !== '') && (
              <AccountSpan account={account} from={from} to={to} />
            )}
            <StatementLinks account={account} from={from} to={to} />
          </>
        }
      />
      {opened !== undefined && (
        <TransactionDetails
          id={opened}
          onClose={() => open(undefined)}
          below={<Questions event={opened} about="this transaction" />}
        />
      )}
    </>
  );
}
