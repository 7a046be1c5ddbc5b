import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { OwnWithdrawalDetails } from '#web/features/withdrawals/own-details.tsx';
import { RecentWithdrawals } from '#web/features/withdrawals/recent-withdrawals.tsx';
import '#web/features/withdrawals/withdraw.css';
import { TextLink } from '#web/ui/link-button.tsx';
import { WithdrawMoney } from './withdraw-money.tsx';

/** `/employee/withdraw`; `?from=` names an account, `?request=` opens a request. */
export function WithdrawPage() {
  const session = useSession();
  const { request, from } = useSearch({ from: '/employee/employee/withdraw' });
  const navigate = useNavigate({ from: '/employee/withdraw' });
  if (session.data === undefined) return null;
  const open = (id: string | undefined) =>
    void navigate({
      search: ({ request: _, ...others }) =>
        id === undefined ? others : { ...others, request: id },
      resetScroll: false,
    });

  return (
    <>
      <ScreenHead subtitle="Send money from your wallet to a verified bank account." />
      <div className="columns withdraw">
        <div>
          <WithdrawMoney session={session.data} from={from} />
        </div>
        <div className="withdraw__side">
          <RecentWithdrawals onOpen={open} />
          <p>
            After each payroll by itself:{' '}
            <TextLink href="/employee/automatic">Automatic Transfers</TextLink>
          </p>
        </div>
      </div>
      {request !== undefined && (
        <OwnWithdrawalDetails key={request} id={request} onClose={() => open(undefined)} />
      )}
    </>
  );
}
