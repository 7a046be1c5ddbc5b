import type { RouteReply, Withdrawal } from '#contract/api.ts';
import { WITHDRAWAL_PROGRESS } from '#contract/withdrawals.ts';
import { formatDayRange } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { Ticks, tickCount } from '#web/ui/ticks.tsx';

type Dashboard = RouteReply<'getEmployeeDashboard'>;

/** Withdrawals that were requested and have not arrived yet. */
export function PendingWithdrawals({ dashboard }: { dashboard: Dashboard }) {
  const { pendingWithdrawals: requests, pendingWithdrawalsTotal: total } = dashboard;
  return (
    <section aria-labelledby="pending-withdrawals">
      <div className="section__head pending__head">
        <h2 className="section-title" id="pending-withdrawals">
          Pending Withdrawals
        </h2>
        {requests.length > 0 && (
          <span className="muted num">
            <Money amount={total} />
          </span>
        )}
      </div>
      {requests.length === 0 ? (
        <EmptyState
          title="No pending withdrawals"
          hint="Withdrawals appear here until they arrive."
        />
      ) : (
        <ul>
          {requests.map((request) => (
            <PendingWithdrawal key={request.id} request={request} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PendingWithdrawal({ request }: { request: Withdrawal }) {
  return (
    <li className="pending">
      <div className="pending__top">
        <span className="pending__amount num">
          <Money amount={request.amount} />
        </span>
        <Status status={request.status} />
      </div>
      <Ticks done={tickCount(WITHDRAWAL_PROGRESS[request.status])} />
      <p className="meta">
        <TextLink href={`/employee/withdraw?request=${request.id}`}>
          {`${request.bankName} ••${request.bankLast4}`}
        </TextLink>
        {request.expected !== null && (
          <span>Expected {formatDayRange(request.expected.from, request.expected.to)}</span>
        )}
      </p>
    </li>
  );
}
