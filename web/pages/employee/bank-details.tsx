import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { BankAccountsCard } from '#web/features/bank-accounts/bank-accounts-card.tsx';
import { VerificationCard } from '#web/features/kyc/status/verification-card.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** `/employee/bank-details` */
export function BankDetailsPage() {
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle>{'Bank Details & KYC'}</PageTitle>
          <p className="page-head__sub">
            Your identity check and the bank accounts you can withdraw to.
          </p>
        </div>
      </div>
      <div className="sheets">
        <Verification />
        <BankAccounts />
      </div>
    </>
  );
}

function Verification() {
  const session = useSession();
  const verification = useQuery(apiQuery('getMyVerification', {}));
  if (verification.isError) {
    return (
      <ErrorState
        title="Your verification could not be loaded"
        onRetry={() => void verification.refetch()}
        isRetrying={verification.isFetching}
      />
    );
  }
  if (verification.isPending || session.data === undefined) {
    return <Skeleton lines={6} label="Loading your verification" />;
  }
  return <VerificationCard verification={verification.data} />;
}

function BankAccounts() {
  const session = useSession();
  const accounts = useQuery(apiQuery('listBankAccounts', {}));
  if (accounts.isError) {
    return (
      <ErrorState
        title="Failed to load account data"
        onRetry={() => void accounts.refetch()}
        isRetrying={accounts.isFetching}
      />
    );
  }
  if (accounts.isPending || session.data === undefined) {
    return <Skeleton lines={9} label="Loading account details..." />;
  }
  return <BankAccountsCard accounts={accounts.data.items} />;
}
