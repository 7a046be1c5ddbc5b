import type { RouteReply } from '#contract/api.ts';
import { WITHDRAWAL_PROGRESS } from '#contract/withdrawals.ts';
import { formatDayRange } from '#web/lib/format.ts';
import { Items } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { RequestRow } from '#web/ui/request-row.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';

type Dashboard = RouteReply<'getEmployeeDashboard'>;

/** Withdrawals that were requested and have not arrived yet. */
export function PendingWithdrawals({ dashboard }: { dashboard: Dashboard }) {
  const { pendingWithdrawals: requests, pendingWithdrawalsTotal: total } = dashboard;
  return (
    <Section
      title="Pending Withdrawals"
      end={
        requests.length > 0 && (
          <span className="muted num">
            <Money amount={total} />
          </span>
        )
      }
      isRuled
    >
      <Items
        items={requests}
        none={{
          title: 'No pending withdrawals',
          hint: 'Withdrawals appear here until they arrive.',
        }}
      >
        {({ id, amount, status, bankName, bankLast4, expected }) => (
          <RequestRow
            key={id}
            amount={amount}
            status={<Status status={status} />}
            progress={WITHDRAWAL_PROGRESS[status]}
          >
            <TextLink href={`/employee/withdraw?request=${id}`}>
              {`${bankName} ••${bankLast4}`}
            </TextLink>
            {expected !== null && (
              <span>Expected {formatDayRange(expected.from, expected.to)}</span>
            )}
          </RequestRow>
        )}
      </Items>
    </Section>
  );
}
