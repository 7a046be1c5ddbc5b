import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { formatDayRange } from '#web/lib/format.ts';
import { Items } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { RequestRow } from '#web/ui/request-row.tsx';
import { Section } from '#web/ui/section.tsx';
import { DepositStatusMark } from './deposit-head.tsx';

/** The person's deposits that wait, each leading to what there is to do and to cancelling it. */
export function PendingOwnDeposits() {
  const pending = useQuery(apiQuery('listDeposits', { query: { status: 'pending' } }));
  return (
    <Section title="Pending Deposits" isRuled>
      <LoadedQuery query={pending} what="your deposits" lines={3}>
        {({ items }) => (
          <Items
            items={items}
            none={{ title: 'No pending deposits', hint: 'Deposits appear here until they arrive.' }}
          >
            {({ id, amount, status, methodName, reference, expected }) => (
              <RequestRow key={id} amount={amount} status={<DepositStatusMark status={status} />}>
                <TextLink href={`/employee/dashboard?deposit=${id}`}>
                  {`${methodName}, ${reference}`}
                </TextLink>
                {expected !== null && (
                  <span>Expected {formatDayRange(expected.from, expected.to)}</span>
                )}
              </RequestRow>
            )}
          </Items>
        )}
      </LoadedQuery>
    </Section>
  );
}
