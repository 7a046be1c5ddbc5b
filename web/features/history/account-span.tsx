import { useQuery } from '@tanstack/react-query';
import { WALLET_LABELS, type WalletType } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { isDrawn, QueryError } from '#web/kit/query-error.tsx';
import { SumLine } from '#web/kit/sum-line.tsx';
import { formatDay } from '#web/lib/format.ts';

interface AccountSpanProps {
  account: WalletType;
  /** Calendar days. '' leaves that end open. */
  from: string;
  to: string;
}

/** Balance of an account before and after the days shown, and the sums in and out. */
export function AccountSpan({ account, from, to }: AccountSpanProps) {
  const query = useQuery(apiQuery('getAccountSpan', { query: { account, from, to } }));
  const span = query.data;
  return (
    <>
      {query.isError && <QueryError query={query} what="the balances" />}
      {isDrawn(query) && (
        <SumLine
          label="Opening and closing balance"
          of={WALLET_LABELS[account]}
          words={spanInWords(from, to)}
          sums={[
            { label: 'Opening', amount: span?.opening },
            { label: 'In', amount: span?.moneyIn, signs: 'always' },
            { label: 'Out', amount: span?.moneyOut, signs: 'always' },
            ...(span === undefined || span.returned.minor === '0'
              ? []
              : [{ label: 'Returned', amount: span.returned, signs: 'always' as const }]),
            ...(span === undefined || span.moved.minor === '0'
              ? []
              : [{ label: 'Between own accounts', amount: span.moved, signs: 'always' as const }]),
            { label: 'Closing', amount: span?.closing, isStrong: true },
          ]}
        />
      )}
    </>
  );
}

function spanInWords(from: string, to: string): string {
  if (from !== '' && to !== '') return `${formatDay(from, 'date')} – ${formatDay(to, 'date')}`;
  if (from !== '') return `since ${formatDay(from, 'date')}`;
  return to === '' ? 'from the beginning' : `until ${formatDay(to, 'date')}`;
}
