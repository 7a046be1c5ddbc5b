import { ShownOnce } from '#web/kit/shown-once.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';

interface SecretShownProps {
  title: string;
  secret: string;
  /** Further information about the secret. */
  note: string;
  onClose: () => void;
}

/** Signing secret of a webhook, shown once. */
export function SecretShown({ title, secret, note, onClose }: SecretShownProps) {
  return (
    <DoneDialog title={title} onClose={onClose}>
      <ShownOnce
        title="Secret that signs"
        value={secret}
        copyLabel="Copy secret"
        note={`Shown only now. ${note}`}
      />
      <p>
        The receiver checks each message with this secret, using any Standard Webhooks library, and
        ignores a <span className="strong">webhook-id</span> it has already seen.
      </p>
    </DoneDialog>
  );
}
