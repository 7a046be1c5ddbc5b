import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Webhook } from '#contract/api.ts';
import { WEBHOOKS_FULL } from '#contract/errors/company.ts';
import { MAX_WEBHOOKS } from '#contract/limits.ts';
import { apiQuery } from '#web/api/query.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { DecisionDialog } from '#web/kit/decision-dialog.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { CreateWebhook } from './create-webhook.tsx';
import { Deliveries } from './deliveries.tsx';
import { groupWords } from './event-groups.ts';
import { RotateSecret } from './rotate-secret.tsx';

type Task = 'deliveries' | 'rotate' | 'remove';

/** Addresses to which events are sent. */
export function Webhooks() {
  const webhooks = useQuery(apiQuery('adminListWebhooks', {}));
  const [isCreating, setIsCreating] = useState(false);
  const [open, setOpen] = useState<{ webhook: Webhook; task: Task }>();
  const items = webhooks.data?.items ?? [];
  const onClose = () => setOpen(undefined);

  function placeholder() {
    if (webhooks.isError) return <QueryError query={webhooks} what="the webhooks" />;
    if (webhooks.isPending || items.length > 0) return undefined;
    return (
      <EmptyState
        title="No webhooks yet"
        hint="A webhook notifies one of your own systems when something happens."
      />
    );
  }

  return (
    <Section
      title="Webhooks"
      end={
        <span className="section-acts">
          <AuditLink thing="webhooks" />
          <Button
            why={items.length < MAX_WEBHOOKS ? undefined : WEBHOOKS_FULL}
            onPress={() => setIsCreating(true)}
          >
            Create Webhook
          </Button>
        </span>
      }
    >
      <Table
        label="Webhooks"
        isDense
        rows={items}
        columns={columnsOf((webhook, task) => setOpen({ webhook, task }))}
        isLoading={webhooks.isPending}
        placeholder={placeholder()}
      />
      {isCreating && <CreateWebhook onClose={() => setIsCreating(false)} />}
      {open?.task === 'deliveries' && <Deliveries webhook={open.webhook} onClose={onClose} />}
      {open?.task === 'rotate' && <RotateSecret webhook={open.webhook} onClose={onClose} />}
      {open?.task === 'remove' && <RemoveWebhook webhook={open.webhook} onClose={onClose} />}
    </Section>
  );
}

function RemoveWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <DecisionDialog
      decision={{
        operation: 'adminRemoveWebhook',
        label: 'Remove',
        kind: 'danger',
        title: 'Remove this webhook?',
        pending: 'Removing',
        done: 'Webhook Removed',
      }}
      id={webhook.id}
      subject={`${hostOf(webhook)}.`}
      topic="deliveries"
      unchanged="The webhook was not changed."
      onClose={onClose}
    >
      <span className="strong">{hostOf(webhook)}</span> gets no more messages, including those that
      are waiting.
    </DecisionDialog>
  );
}

function hostOf({ url }: Webhook): string {
  return new URL(url).host;
}

function columnsOf(onOpen: (webhook: Webhook, task: Task) => void): readonly Column<Webhook>[] {
  return [
    {
      id: 'url',
      header: 'Address',
      narrow: 'start',
      isRowHeader: true,
      cell: (webhook) => (
        <span className="wrap" title={webhook.url}>
          {hostOf(webhook)}
        </span>
      ),
    },
    textColumn({
      id: 'events',
      header: 'Events about',
      narrow: 'hidden',
      text: ({ events }) => groupWords(events),
    }),
    textColumn({ id: 'by', header: 'Created by', narrow: 'hidden', text: (one) => one.createdBy }),
    timeColumn({
      id: 'secret',
      header: 'Secret of',
      narrow: 'hidden',
      at: ({ secretAt }) => secretAt,
      as: 'date',
    }),
    {
      id: 'status',
      header: 'Status',
      narrow: 'start-second',
      cell: (webhook) => <Standing webhook={webhook} />,
    },
    actionsColumn<Webhook>({
      narrow: 'end',
      nameOf: hostOf,
      actions: (webhook) => [
        { label: 'Remove', kind: 'danger', onPress: () => onOpen(webhook, 'remove') },
        { label: 'Rotate Secret', onPress: () => onOpen(webhook, 'rotate') },
        { label: 'Deliveries', onPress: () => onOpen(webhook, 'deliveries') },
      ],
    }),
  ];
}

function Standing({ webhook: { waiting, failed } }: { webhook: Webhook }) {
  if (failed > 0) return <Status status="failed" label={`${formatCount(failed)} given up`} />;
  if (waiting > 0) return <Status status="pending" label={`${formatCount(waiting)} waiting`} />;
  return <Status status="active" label="Nothing waits" />;
}
