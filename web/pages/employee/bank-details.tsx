import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** `/employee/bank-details` */
export function BankDetailsPage() {
  const accounts = useQuery(apiQuery('listBankAccounts', {}));
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle>{'Bank Details & KYC'}</PageTitle>
          <p className="page-head__sub">The bank accounts you can withdraw to.</p>
        </div>
      </div>
      {accounts.isPending && <Skeleton lines={6} label="Loading account details..." />}
      {accounts.isError && (
        <ErrorState
          title="Failed to load account data"
          onRetry={() => void accounts.refetch()}
          isRetrying={accounts.isFetching}
        />
      )}
      <ul>
        {accounts.data?.items.map((account) => (
          <li key={account.id}>
            {account.bankName} ••{account.accountNumberLast4}
          </li>
        ))}
      </ul>
    </>
  );
}
