import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { NO_EVENTS_PROBLEM, webhookUrlRule } from '#contract/webhooks.ts';
import { call } from '#web/api/client.ts';
import { CheckChoices } from '#web/kit/check-choices.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { EVENT_GROUPS, eventsOf, type EventGroup } from './event-groups.ts';
import { SecretShown } from './secret-shown.tsx';

type Created = RouteReply<'adminCreateWebhook'>;

/** Creates a webhook, then shows its signing secret. Open while mounted. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  if (created === undefined) return <WebhookForm onCreated={setCreated} onClose={onClose} />;
  return (
    <SecretShown
      title="Webhook created"
      secret={created.secret}
      note={`For ${new URL(created.url).host}.`}
      onClose={onClose}
    />
  );
}

interface WebhookFormProps {
  onCreated: (created: Created) => void;
  onClose: () => void;
}

function WebhookForm({ onCreated, onClose }: WebhookFormProps) {
  return (
    <TaskDialog
      title="Create webhook"
      initial={{ url: '', events: [] as EventGroup[] }}
      check={(values) => ({
        ...checkRules(values, { url: webhookUrlRule }),
        ...(values.events.length === 0 && { events: NO_EVENTS_PROBLEM }),
      })}
      send={({ url, events }) =>
        call('adminCreateWebhook', { body: { url, events: eventsOf(events) } })
      }
      topics={['deliveries']}
      onDone={onCreated}
      summary="Please check the webhook"
      submit={{ label: 'Create Webhook', pending: 'Creating' }}
      onClose={onClose}
    >
      {({ url, events }) => (
        <>
          <TextField
            label="Address"
            isRequired
            type="url"
            autoComplete="off"
            hint="On the public internet, with https. Redirects are not followed."
            {...url}
          />
          <CheckChoices label="Events about" choices={EVENT_GROUPS} {...events} />
        </>
      )}
    </TaskDialog>
  );
}
