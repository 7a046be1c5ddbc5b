import { ShownOnce } from '#web/kit/shown-once.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

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
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="solid" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className="form">
        <div>
          <ShownOnce title="Secret that signs" value={secret} copyLabel="Copy secret" />
          <p className="meta mt-1">{`Shown only now. ${note}`}</p>
        </div>
        <p>
          The receiver checks each message with this secret, using any Standard Webhooks library,
          and ignores a <span className="strong">webhook-id</span> it has already seen.
        </p>
      </div>
    </Dialog>
  );
}
