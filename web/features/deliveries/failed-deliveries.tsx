import { ConfirmAction, questionTo, useAction, ActionButton } from '#web/kit/action.tsx';
import { failedToLoad } from '#web/kit/query-error.tsx';
import { useState } from 'react';
import type { FailedDelivery } from '#contract/api.ts';
import { failedDeliveryList } from '#contract/lists.ts';
import { call } from '#web/api/client.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { useDialogList } from '#web/kit/use-list.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';
import { deliveriesWords, deliveryWords } from './words.ts';
import './deliveries.css';

interface FailedDeliveriesProps {
  onClose: () => void;
}

const HANDLING = { topics: ['deliveries'], failed: 'Error' } as const;

/** Failed deliveries, which an admin retries or discards. */
export function FailedDeliveries({ onClose }: FailedDeliveriesProps) {
  const [discarding, setDiscarding] = useState<FailedDelivery>();
  const { paged: list, goTo } = useDialogList(failedDeliveryList);
  const retryAll = useAction({
    ...HANDLING,
    send: () => call('adminRetryAllFailedDeliveries'),
    done: ({ retried }) => ({
      title: 'Deliveries Retried',
      message: `${deliveriesWords(retried)} are being retried. A delivery that fails again comes back to this list.`,
    }),
  });

  // Replaces the list instead of covering it. The list comes back after the answer.
  if (discarding !== undefined) {
    return <DiscardQuestion delivery={discarding} onClose={() => setDiscarding(undefined)} />;
  }
  return (
    <Dialog
      title="Failed deliveries"
      onClose={onClose}
      {...(list.rows.length > 1 && {
        actions: (
          <ActionButton action={retryAll} pending="Retrying">
            Retry all
          </ActionButton>
        ),
      })}
    >
      <p className="muted">
        Each was tried several times. Retry tries once more. If it fails again, it comes back here.{' '}
        <AuditLink thing="books" />
      </p>
      <ListFrame
        list={list}
        errorTitle={failedToLoad('the deliveries')}
        empty={<EmptyState title="No failed deliveries" hint="Everything has arrived." />}
        itemNoun="deliveries"
        onGoTo={goTo}
        hidesSinglePage
      >
        {({ rows, isLoading, placeholder }) =>
          isLoading ? (
            <Skeleton lines={4} label="Loading failed deliveries" />
          ) : (
            (placeholder ?? (
              <ul className="deliveries" aria-label="Failed deliveries">
                {rows.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    delivery={delivery}
                    onDiscard={() => setDiscarding(delivery)}
                  />
                ))}
              </ul>
            ))
          )
        }
      </ListFrame>
    </Dialog>
  );
}

interface DeliveryRowProps {
  delivery: FailedDelivery;
  onDiscard: () => void;
}

function DeliveryRow({ delivery, onDiscard }: DeliveryRowProps) {
  const { id, since, attempts, lastError } = delivery;
  const { title, about } = deliveryWords(delivery);
  const retry = useAction({
    ...HANDLING,
    send: () => call('adminRetryFailedDelivery', { params: { id } }),
  });
  return (
    <li>
      <div>
        <p className="strong">{title}</p>
        <p>{about}</p>
        <p className="meta num">
          Since <Time at={since} as="dateTime" />, {attempts} attempts
        </p>
        {lastError !== null && <p className="meta deliveries__error">{lastError}</p>}
      </div>
      <div className="deliveries__actions">
        <Button shape="text" kind="quiet" aria-label={`Discard: ${title}`} onPress={onDiscard}>
          Discard
        </Button>
        <ActionButton
          shape="text"
          kind="quiet"
          aria-label={`Retry: ${title}`}
          action={retry}
          pending="Retrying"
        >
          Retry
        </ActionButton>
      </div>
    </li>
  );
}

interface DiscardQuestionProps {
  delivery: FailedDelivery;
  onClose: () => void;
}

function DiscardQuestion({ delivery, onClose }: DiscardQuestionProps) {
  const { title, about, consequence } = deliveryWords(delivery);
  return (
    <ConfirmAction
      {...questionTo('Discard', 'delivery')}
      send={() => call('adminDiscardFailedDelivery', { params: { id: delivery.id } })}
      {...HANDLING}
      details={<p className="muted mt-2">{consequence}</p>}
      onClose={onClose}
    >
      <span className="strong">{title}</span>: {about}
    </ConfirmAction>
  );
}
