import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RouteReply } from '#contract/api.ts';
import type { ViewOf } from '#contract/list.ts';
import type { transactionList } from '#contract/lists.ts';
import { negated } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { SumLine } from '#web/kit/sum-line.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';
import './transactions.css';

type Figures = NonNullable<RouteReply<'adminTransactionStats'>['figures']>;

const LABELS = ['Transactions', 'Money in', 'Money out', 'Pending'] as const;

interface TransactionFiguresProps {
  view: ViewOf<typeof transactionList>;
}

/** Number and sum of the transactions that match the filter of the list below. */
export function TransactionFigures({ view }: TransactionFiguresProps) {
  return (
    <div className="transaction-figures">
      <FiguresOf view={view} />
    </div>
  );
}

/**
 * Number of transactions that match the filter. Undefined while loading, or if there are too many
 * to count.
 */
export function useTransactionTotal(
  view: TransactionFiguresProps['view'] | undefined,
): number | undefined {
  const { data } = useQuery({
    ...apiQuery('adminTransactionStats', { query: view ?? {} }),
    enabled: view !== undefined,
  });
  const figures = data?.figures ?? null;
  return figures === null ? undefined : totalOf(figures.counts);
}

/** Notice that a search matches more payrolls than the list can show lines of. */
export function NewestBatchesNotice({ view }: TransactionFiguresProps) {
  const { data } = useQuery(apiQuery('adminTransactionStats', { query: view }));
  const count = data?.newestBatches ?? null;
  if (count === null) return null;
  return (
    <Notice tone="caution">
      More than {formatCount(count)} payrolls match this search. Only the newest{' '}
      {formatCount(count)} are listed, added up and exported. To see earlier ones, choose dates.
    </Notice>
  );
}

function FiguresOf({ view }: TransactionFiguresProps) {
  const query = useQuery(apiQuery('adminTransactionStats', { query: view }));
  return (
    <LoadedQuery
      query={query}
      what="statistics"
      placeholder={
        <>
          <NoFigures
            value={<SkeletonBar width="short" />}
            note={view.from === '' ? 'Counting all years' : NOTE_TO_COME}
          />
          <Apart />
        </>
      }
    >
      {({ figures }) => (figures === null ? <TooMany /> : <Whole figures={figures} />)}
    </LoadedQuery>
  );
}

function Whole({ figures }: { figures: Figures }) {
  const { counts, moneyIn, moneyOut, pending } = figures;
  return (
    <>
      <Stats>
        <Stat label={LABELS[0]} value={formatCount(totalOf(counts))} note={countWords(counts)} />
        <Stat
          label={LABELS[1]}
          value={<Money amount={moneyIn.amount} signs="always" />}
          note={`${formatCount(moneyIn.count)} completed`}
        />
        <Stat
          label={LABELS[2]}
          value={<Money amount={negated(moneyOut.amount)} signs="always" />}
          note={`${formatCount(moneyOut.count)} completed`}
        />
        <Stat
          label={LABELS[3]}
          value={<Money amount={pending.amount} />}
          note={pendingWords(pending.counts)}
        />
      </Stats>
      <Apart {...figures} />
    </>
  );
}

/** Completed movements that are neither money in nor money out. */
function Apart({ returned, betweenEmployees, betweenOwnAccounts }: Partial<Figures>) {
  return (
    <SumLine
      label="Neither in nor out"
      of="Neither in nor out"
      words="of what is completed"
      sums={[
        { label: namedCount('Returned', returned), amount: returned?.amount },
        {
          label: namedCount('Between employees', betweenEmployees),
          amount: betweenEmployees?.amount,
        },
        {
          label: namedCount('Between own accounts', betweenOwnAccounts),
          amount: betweenOwnAccounts?.amount,
        },
      ]}
    />
  );
}

/** "Returned (2)" */
function namedCount(name: string, sum: Figures['returned'] | undefined): string {
  return sum === undefined || sum.count === 0 ? name : `${name} (${formatCount(sum.count)})`;
}

/**
 * Replaces the sums if there are too many rows: a partial sum could be mistaken for the full one.
 */
function TooMany() {
  return <NoFigures value="–" note="Too many to add up. Choose fewer days, or one person" />;
}

/** Place of the figures while there are none, with a note under the first. */
function NoFigures({ value, note }: { value: ReactNode; note: string }) {
  return (
    <Stats>
      {LABELS.map((label, index) => (
        <Stat key={label} label={label} value={value} note={index === 0 ? note : NOTE_TO_COME} />
      ))}
    </Stats>
  );
}

function totalOf({ completed, pending, failed, cancelled }: Figures['counts']): number {
  return completed + pending + failed + cancelled;
}

/** "93 completed, 17 pending, 3 failed" */
function countWords({ completed, pending, failed, cancelled }: Figures['counts']): string {
  const words = [
    `${formatCount(completed)} completed`,
    `${formatCount(pending)} pending`,
    failed > 0 && `${formatCount(failed)} failed`,
    cancelled > 0 && `${formatCount(cancelled)} cancelled`,
  ];
  return words.filter((word) => word !== false).join(', ');
}

/** "6 deposits, 11 withdrawals" */
function pendingWords({ deposit, withdrawal, bill }: Figures['pending']['counts']): string {
  const words = [counted(deposit, 'deposit'), counted(withdrawal, 'withdrawal')];
  return [...words, ...(bill > 0 ? [counted(bill, 'bill')] : [])].join(', ');
}
