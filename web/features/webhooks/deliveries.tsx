import { useQuery } from '@tanstack/react-query';
import type { Webhook, WebhookDelivery } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import {
  WEBHOOK_EVENTS,
  webhookDeliveryCan,
  type WebhookDeliveryStatus,
  type WebhookEvent,
} from '#contract/webhooks.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { counted } from '#web/lib/format.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Status } from '#web/ui/status.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';

const LOOKS: Record<WebhookDeliveryStatus, { status: StatusName; label: string }> = {
  waiting: { status: 'pending', label: 'Waiting' },
  delivered: { status: 'completed', label: 'Delivered' },
  failed: { status: 'failed', label: 'Given up' },
};

interface DeliveriesProps {
  webhook: Webhook;
  onClose: () => void;
}

const SENDING = {
  topics: ['deliveries'],
  failed: 'Error',
  hint: 'Nothing was sent.',
} as const;

const LISTED_SOON = 'The result appears in the list in a moment.';

/**
 * Newest messages to an address with their results, a test message, and a button to send one again.
 */
export function Deliveries({ webhook: { id, url }, onClose }: DeliveriesProps) {
  const log = useQuery(apiQuery('adminListWebhookDeliveries', { params: { id } }));
  const test = useAction({
    ...SENDING,
    send: () => call('adminTestWebhook', { params: { id } }),
    done: { title: 'Test Sent', message: LISTED_SOON },
  });
  const again = useAction({
    ...SENDING,
    send: (delivery: WebhookDelivery) =>
      call('adminRedeliverWebhook', { params: { id: delivery.id } }),
    done: { title: 'Sent Again', message: LISTED_SOON },
  });
  const items = log.data?.items ?? [];

  function placeholder() {
    if (log.isError) return <QueryError query={log} what="the deliveries" />;
    if (log.isPending || items.length > 0) return undefined;
    return <EmptyState title="Nothing was sent yet" hint="Send a test to try the address." />;
  }

  return (
    <Dialog
      title="Deliveries"
      onClose={onClose}
      actions={
        <ActionButton action={test} pending="Sending">
          Send Test
        </ActionButton>
      }
    >
      <p className="muted wrap">{url}</p>
      <Table
        label="Deliveries"
        isDense
        rows={items}
        columns={columnsOf((delivery) => again.mutate(delivery))}
        isLoading={log.isPending}
        placeholder={placeholder()}
      />
    </Dialog>
  );
}

function columnsOf(
  onSendAgain: (delivery: WebhookDelivery) => void,
): readonly Column<WebhookDelivery>[] {
  return [
    {
      id: 'event',
      header: 'Event',
      narrow: 'start',
      isRowHeader: true,
      cell: ({ event }) => eventWords(event),
    },
    timeColumn({
      id: 'at',
      header: 'Happened',
      narrow: 'hidden',
      at: ({ createdAt }) => createdAt,
      as: 'shortDateTime',
    }),
    {
      id: 'status',
      header: 'Status',
      narrow: 'start-second',
      cell: (delivery) => <Outcome delivery={delivery} />,
    },
    {
      ...actionsColumn<WebhookDelivery>({
        narrow: 'end',
        nameOf: ({ event }) => eventWords(event),
        actions: (delivery) =>
          can(webhookDeliveryCan, 'redeliver', delivery.status)
            ? [{ label: 'Send Again', onPress: () => onSendAgain(delivery) }]
            : [],
      }),
      // The dialog is as wide as the table.
      isPinned: false,
    },
  ];
}

function eventWords(event: string): string {
  return event in WEBHOOK_EVENTS ? WEBHOOK_EVENTS[event as WebhookEvent] : 'Test';
}

function Outcome({ delivery }: { delivery: WebhookDelivery }) {
  const write = useMoments();
  const { status, attempts, problem, nextAttemptAt } = delivery;
  const next = nextAttemptAt === null ? '' : ` Again ${write(nextAttemptAt, 'shortDateTime')}.`;
  return (
    <>
      <Status {...LOOKS[status]} />
      {problem !== null && (
        <p className="meta">{`${problem}, ${counted(attempts, 'attempt')}.${next}`}</p>
      )}
    </>
  );
}
