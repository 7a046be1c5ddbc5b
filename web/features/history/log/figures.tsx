import { useQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import type { ViewOf } from '#contract/list.ts';
import type { transactionList } from '#contract/lists.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import { NOTE_TO_COME, Stat, Stats } from '#web/ui/stat.tsx';
import './transactions.css';

type Figures = NonNullable<RouteReply<'adminTransactionStats'>['figures']>;

const LABELS = ['Transactions', 'Money in', 'Money out', 'Pending'] as const;

interface TransactionFiguresProps {
  view: ViewOf<typeof transactionList>;
}

/** How many transactions pass the filter that is shown below, and what they come to. */
export function TransactionFigures({ view }: TransactionFiguresProps) {
  return (
    <div className="transaction-figures">
      <FiguresOf view={view} />
    </div>
  );
}

function FiguresOf({ view }: TransactionFiguresProps) {
  const query = useQuery(apiQuery('adminTransactionStats', { query: view }));
  if (query.isError) return <QueryError query={query} title="Error Loading Statistics" />;
  if (query.data === undefined) {
    return (
      <Stats>
        {LABELS.map((label, index) => (
          <Stat
            key={label}
            label={label}
            value={<SkeletonBar width="short" />}
            note={index === 0 && view.from === '' ? 'Counting all years' : NOTE_TO_COME}
          />
        ))}
      </Stats>
    );
  }
  const { figures } = query.data;
  return figures === null ? <TooMany /> : <Whole figures={figures} />;
}

function Whole({ figures: { counts, moneyIn, moneyOut, pending } }: { figures: Figures }) {
  return (
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
  );
}

/** Sums of a part would be taken for sums of all. */
function TooMany() {
  return (
    <Stats>
      {LABELS.map((label, index) => (
        <Stat
          key={label}
          label={label}
          value="–"
          note={index === 0 ? 'Too many to add up: choose fewer days, or one person' : NOTE_TO_COME}
        />
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

function negated(amount: Figures['moneyOut']['amount']): Figures['moneyOut']['amount'] {
  return amount.minor === '0' ? amount : { ...amount, minor: `-${amount.minor}` };
}
