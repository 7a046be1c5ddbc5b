import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RECENT_WITHDRAWALS } from '#contract/limits.ts';
import { apiQuery } from '#web/api/query.ts';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { OwnWithdrawalDetails } from '#web/features/withdrawals/own-details.tsx';
import { RecentWithdrawals } from '#web/features/withdrawals/recent-withdrawals.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import '#web/features/withdrawals/withdraw.css';
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
      <div className="withdraw">
        <div>
          <WithdrawMoney session={session.data} from={from} />
        </div>
        <Recent onOpen={open} />
      </div>
      {request !== undefined && (
        <OwnWithdrawalDetails key={request} id={request} onClose={() => open(undefined)} />
      )}
    </>
  );
}

interface RecentProps {
  onOpen: (id: string) => void;
}

function Recent({ onOpen }: RecentProps) {
  const recent = useQuery(apiQuery('listWithdrawals', { query: { pageSize: RECENT_WITHDRAWALS } }));
  return (
    <section aria-labelledby="recent-withdrawals">
      <div className="section__head withdraw__recent-head">
        <h2 className="section-title" id="recent-withdrawals">
          Recent Withdrawals
        </h2>
      </div>
      <LoadedQuery query={recent} what="withdrawals" lines={6} />
      {recent.data !== undefined && (
        <RecentWithdrawals withdrawals={recent.data.items} onOpen={onOpen} />
      )}
    </section>
  );
}
