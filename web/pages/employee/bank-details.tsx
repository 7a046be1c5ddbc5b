import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { BankAccountsCard } from '#web/features/bank-accounts/bank-accounts-card.tsx';
import { VerificationCard } from '#web/features/kyc/status/verification-card.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
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
  return (
    <LoadedQuery query={verification} what="your verification">
      {(data) => <VerificationCard verification={data} />}
    </LoadedQuery>
  );
}

function BankAccounts() {
  const accounts = useQuery(apiQuery('listBankAccounts', {}));
  return (
    <LoadedQuery
      query={accounts}
      what="account data"
      placeholder={<Skeleton lines={9} label="Loading account details..." isLabelShown />}
    >
      {({ items }) => <BankAccountsCard accounts={items} />}
    </LoadedQuery>
  );
}
