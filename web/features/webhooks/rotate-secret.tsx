import type { Webhook } from '#contract/api.ts';
import { WEBHOOK_SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { SecretShown } from './secret-shown.tsx';

interface RotateSecretProps {
  webhook: Webhook;
  onClose: () => void;
}

/** Asks for confirmation, then shows the new secret. */
export function RotateSecret({ webhook: { id, url }, onClose }: RotateSecretProps) {
  const rotating = useAction({
    send: () => call('adminRotateWebhookSecret', { params: { id } }),
    topics: ['deliveries'],
    failed: 'Error',
    hint: 'The secret was not changed.',
  });
  const overlap = `The old secret also works for ${WEBHOOK_SECRET_OVERLAP_HOURS} hours.`;
  if (rotating.data !== undefined) {
    return (
      <SecretShown
        title="Secret rotated"
        secret={rotating.data.secret}
        note={overlap}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      kind="solid"
      keepLabel="Keep Secret"
      confirmLabel="Rotate Secret"
      isPending={rotating.isPending}
      pendingLabel="Rotating"
      onClose={onClose}
      onConfirm={() => rotating.mutate()}
    >
      <span className="strong">{new URL(url).host}</span> gets messages signed with a new secret.{' '}
      {overlap}
    </ConfirmDialog>
  );
}
