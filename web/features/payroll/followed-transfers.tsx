import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#contract/money.ts';
import type { RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ActionButton, useAction } from '#web/kit/action.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';

type Followed = RouteReply<'adminGetLineTransfers'>['transfers'][number];

/**
 * The automatic transfers that followed a line, which its reversal does not undo. One to another wallet can be moved
 * back while the money is there; a withdrawal is rejected or stopped on its own page.
 */
export function FollowedTransfers({ lineId }: { lineId: string }) {
  const query = useQuery(apiQuery('adminGetLineTransfers', { params: { id: lineId } }));
  const error = query.isError && <QueryError query={query} what="the automatic transfers" />;
  if (query.data === undefined || query.data.transfers.length === 0) return error;
  return (
    <section className="followed" aria-label="Automatic transfers after this payment">
      {error}
      <p className="strong">Automatic transfers after this payment</p>
      <ul>
        {query.data.transfers.map((transfer) => (
          <li key={transfer.id} className="spread followed__one">
            <span>
              <Money amount={transfer.amount} /> to {transfer.to.name}{' '}
              <span className="meta num">••{transfer.to.last4}</span>
            </span>
            <End transfer={transfer} />
          </li>
        ))}
      </ul>
      <p className="meta">Reversing the payment does not undo them.</p>
    </section>
  );
}

function End({ transfer }: { transfer: Followed }) {
  const { withdrawal, isTakenBack } = transfer;
  if (withdrawal !== null) {
    return (
      <span>
        <Status status={withdrawal.status} />{' '}
        <TextLink href={`/admin/withdrawals?request=${transfer.id}`}>
          {withdrawal.reference}
        </TextLink>
      </span>
    );
  }
  if (isTakenBack) return <span className="muted">Moved back</span>;
  return <MoveBack transfer={transfer} />;
}

function MoveBack({ transfer: { id, to, amount, available, refusal } }: { transfer: Followed }) {
  const action = useAction({
    send: (_: void, options) => call('adminTakeBackTransfer', { params: { id } }, options),
    topics: ['payroll', 'wallets'],
    done: {
      title: 'Transfer Moved Back',
      message: `${formatMoney(amount)} left ${to.name} again.`,
    },
    failed: 'Transfer not moved back',
  });
  const isThere = available !== null && BigInt(available.minor) >= BigInt(amount.minor);
  if (!isThere) {
    return (
      <span className="muted">
        Only <Money amount={available ?? { ...amount, minor: '0' }} /> is there
      </span>
    );
  }
  return (
    <ActionButton
      shape="small"
      action={action}
      pending="Moving"
      why={refusal ?? undefined}
      aria-label={`Move Back ${formatMoney(amount)} from ${to.name}`}
    >
      Move Back
    </ActionButton>
  );
}
