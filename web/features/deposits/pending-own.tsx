import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { formatDayRange } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { DepositStatusMark } from './deposit-head.tsx';

/** The person's deposits that wait, each leading to what there is to do and to cancelling it. */
export function PendingOwnDeposits() {
  const pending = useQuery(apiQuery('listDeposits', { query: { status: 'pending' } }));
  return (
    <section aria-labelledby="pending-deposits">
      <div className="section__head pending__head">
        <h2 className="section-title" id="pending-deposits">
          Pending Deposits
        </h2>
      </div>
      <LoadedQuery query={pending} what="your deposits" lines={3} />
      {pending.data?.items.length === 0 && (
        <EmptyState title="No pending deposits" hint="Deposits appear here until they arrive." />
      )}
      <ul>
        {pending.data?.items.map(({ id, amount, status, methodName, reference, expected }) => (
          <li className="pending" key={id}>
            <div className="pending__top">
              <span className="pending__amount num">
                <Money amount={amount} />
              </span>
              <DepositStatusMark status={status} />
            </div>
            <p className="meta">
              <TextLink href={`/employee/dashboard?deposit=${id}`}>
                {`${methodName}, ${reference}`}
              </TextLink>
              {expected !== null && (
                <span>Expected {formatDayRange(expected.from, expected.to)}</span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
