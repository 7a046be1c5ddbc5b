import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { TransactionPage as Transaction } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { TransactionDetails } from '#web/features/history/log/details.tsx';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Balance } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';

/** Sealing takes seconds, and is no live event. */
const SEAL_POLL_MS = 2_000;

/** Milliseconds between two looks at a posting that waits for its seal. */
function sealPoll({ state: { data } }: { state: { data: Transaction | undefined } }) {
  return data !== undefined && data.entries.length > 0 && data.proof === null && SEAL_POLL_MS;
}

/** `/admin/transactions/<id>` */
export function TransactionPage() {
  const { id } = useParams({ from: '/admin/admin/transactions/$id' });
  const query = useQuery({
    ...apiQuery('adminGetTransaction', { params: { id } }),
    refetchInterval: sealPoll,
  });
  return (
    <>
      <p className="mb-3">
        <TextLink href="/admin/transactions">Transaction Logs</TextLink>
      </p>
      {query.data === undefined ? (
        <>
          <ScreenHead title="Transaction" />
          <LoadedQuery query={query} what="the transaction" lines={8} />
        </>
      ) : (
        <TransactionDetails
          transaction={query.data}
          head={<TransactionHead transaction={query.data} />}
        />
      )}
    </>
  );
}

function TransactionHead({
  transaction: { description, reference, status, amount },
}: {
  transaction: Transaction;
}) {
  return (
    <ScreenHead
      title={description}
      subtitle={
        <>
          <span className="num">{reference}</span>{' '}
          <CopyValue value={reference} label="Copy reference" />
        </>
      }
      end={
        <div className="transaction__amount">
          <Status status={status} />
          <Balance amount={amount} signs="always" />
        </div>
      }
    />
  );
}
