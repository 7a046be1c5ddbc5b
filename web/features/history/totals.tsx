import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { ProveNumber } from './proof/prove-number.tsx';

type Totals = RouteReply<'getHistoryTotals'>;

const FIGURES: readonly (readonly [label: string, value: (totals: Totals) => ReactNode])[] = [
  ['Total Transactions', ({ transactions }) => formatCount(transactions)],
  ['Total Received', ({ received }) => <Money amount={received} />],
  ['Total Withdrawn', ({ withdrawn }) => <Money amount={withdrawn} />],
  ['Current Balance', ({ currentBalance }) => <Money amount={currentBalance} />],
];

/** The four figures over a history: of all of it, whatever is shown below. */
export function HistoryTotals() {
  const query = useQuery(apiQuery('getHistoryTotals', {}));
  const [isProven, setProven] = useState(false);
  if (query.isError) return <QueryError query={query} title="Error Loading Totals" />;
  return (
    <>
      <Stats>
        {FIGURES.map(([label, value]) => (
          <Stat
            key={label}
            label={label}
            value={query.data === undefined ? <SkeletonBar width="short" /> : value(query.data)}
            note={
              label === 'Current Balance' ? (
                <TextButton onPress={() => setProven(true)}>Prove this number</TextButton>
              ) : undefined
            }
          />
        ))}
      </Stats>
      {isProven && <ProveNumber target={{ kind: 'total' }} onClose={() => setProven(false)} />}
    </>
  );
}
