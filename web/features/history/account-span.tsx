import { useQuery } from '@tanstack/react-query';
import { WALLET_LABELS, type WalletType } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatDay } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { SkeletonBar } from '#web/ui/skeleton.tsx';
import './history.css';

interface AccountSpanProps {
  account: WalletType;
  /** Calendar days; '' is open. */
  from: string;
  to: string;
}

/** What an account had before and after the days that are shown, and what went in and out. */
export function AccountSpan({ account, from, to }: AccountSpanProps) {
  const query = useQuery(apiQuery('getAccountSpan', { query: { account, from, to } }));
  if (query.isError) return <QueryError query={query} title="Error Loading Balances" />;
  const span = query.data;
  const figures = [
    ['Opening', span?.opening],
    ['In', span?.moneyIn],
    ['Out', span?.moneyOut],
    ['Closing', span?.closing],
  ] as const;
  return (
    <dl className="span-sum" aria-label="Opening and closing balance">
      <div className="span-sum__what">
        <dt className="strong">{WALLET_LABELS[account]}</dt>
        <dd>{spanInWords(from, to)}</dd>
      </div>
      {figures.map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={label === 'Closing' ? 'strong' : undefined}>
            {amount === undefined ? (
              <SkeletonBar width="short" />
            ) : (
              <Money
                amount={amount}
                signs={label === 'In' || label === 'Out' ? 'always' : 'auto'}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function spanInWords(from: string, to: string): string {
  if (from !== '' && to !== '') return `${formatDay(from, 'date')} – ${formatDay(to, 'date')}`;
  if (from !== '') return `since ${formatDay(from, 'date')}`;
  return to === '' ? 'from the beginning' : `until ${formatDay(to, 'date')}`;
}
