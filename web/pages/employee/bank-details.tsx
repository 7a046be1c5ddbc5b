import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { BankAccountsCard } from '#web/features/bank-accounts/bank-accounts-card.tsx';
import { VerificationCard } from '#web/features/kyc/status/verification-card.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** `/employee/bank-details` */
export function BankDetailsPage() {
  return (
    <>
      <ScreenHead subtitle="Your identity check and the bank accounts you can withdraw to." />
      <div className="sheets">
        <Verification />
        <BankAccounts />
      </div>
    </>
  );
}

function Verification() {
  const verification = useQuery(apiQuery('getMyVerification', {}));
  if (verification.isError) {
    return <QueryError query={verification} what="your verification" />;
  }
  if (verification.isPending) {
    return <Skeleton lines={6} label="Loading your verification" />;
  }
  return <VerificationCard verification={verification.data} />;
}

function BankAccounts() {
  const accounts = useQuery(apiQuery('listBankAccounts', {}));
  if (accounts.isError) {
    return <QueryError query={accounts} what="account data" />;
  }
  if (accounts.isPending) {
    return <Skeleton lines={9} label="Loading account details..." isLabelShown />;
  }
  return <BankAccountsCard accounts={accounts.data.items} />;
}
