import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { isDrawn, QueryError } from '#web/kit/query-error.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import type { ProofTarget } from './proof/proof-target.ts';
import { ProveNumber } from './proof/prove-number.tsx';

type Totals = RouteReply<'getHistoryTotals'>;
type Proven = Extract<ProofTarget, { kind: 'total' }>['of'];

interface Figure {
  label: string;
  value: (totals: Totals) => ReactNode;
  /** Text before the proof. */
  note?: (totals: Totals) => ReactNode;
  /** The figure's proof. A count has none. */
  proof?: Proven;
}

const FIGURES: readonly Figure[] = [
  { label: 'Total Transactions', value: ({ transactions }) => formatCount(transactions) },
  {
    label: 'Total Received',
    value: ({ received }) => <Money amount={received} />,
    note: () => 'Everything paid in. ',
    proof: 'received',
  },
  {
    label: 'Total Withdrawn',
    value: ({ withdrawn }) => <Money amount={withdrawn} />,
    note: () => 'Everything paid out. ',
    proof: 'withdrawn',
  },
  {
    label: 'Current Balance',
    value: ({ currentBalance }) => <Money amount={currentBalance} />,
    note: ({ currentBalance, available }) =>
      available.minor !== currentBalance.minor && (
        <>
          <Money amount={available} /> available.{' '}
        </>
      ),
    proof: 'balance',
  },
];

/** The four figures of the whole history, independent of the filter below. */
export function HistoryTotals() {
  const query = useQuery(apiQuery('getHistoryTotals', {}));
  const [proven, setProven] = useState<Proven>();
  return (
    <>
      {query.isError && <QueryError query={query} what="the totals" />}
      {isDrawn(query) && (
        <Stats>
          {FIGURES.map(({ label, value, note, proof }) => (
            <Stat
              key={label}
              label={label}
              value={query.data === undefined ? <SkeletonBar width="short" /> : value(query.data)}
              note={
                proof !== undefined && (
                  <>
                    {query.data && note?.(query.data)}
                    <TextButton
                      aria-label={`Prove this number: ${label}`}
                      onPress={() => setProven(proof)}
                    >
                      Prove this number
                    </TextButton>
                  </>
                )
              }
            />
          ))}
        </Stats>
      )}
      {proven !== undefined && (
        <ProveNumber target={{ kind: 'total', of: proven }} onClose={() => setProven(undefined)} />
      )}
    </>
  );
}
