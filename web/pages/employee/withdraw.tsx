import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** `/employee/withdraw` */
export function WithdrawPage() {
  const recent = useQuery(apiQuery('listWithdrawals', { query: { pageSize: 5 } }));
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle>Withdraw Funds</PageTitle>
          <p className="page-head__sub">Send money from your wallet to a verified bank account.</p>
        </div>
      </div>
      {recent.isPending && <Skeleton lines={6} label="Loading your accounts" />}
      {recent.isError && (
        <ErrorState
          title="Failed to load data. Please try again."
          onRetry={() => void recent.refetch()}
          isRetrying={recent.isFetching}
        />
      )}
    </>
  );
}
