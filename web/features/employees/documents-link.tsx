import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { ShownOnce } from '#web/kit/shown-once.tsx';
import { useDecision } from '#web/kit/use-decision.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';

interface DocumentsLinkProps {
  person: { id: string; name: string; email: string };
  onClose: () => void;
}

/**
 * Sends a person who left a link to their documents. Without a mail server, shows the link once.
 */
export function DocumentsLink({ person: { id, name, email }, onClose }: DocumentsLinkProps) {
  const write = useMoments();
  const [link, setLink] = useState<RouteReply<'adminCreateDocumentsLink'>['link']>(null);
  const create = useDecision({
    send: () => call('adminCreateDocumentsLink', { params: { id } }),
    topic: 'people',
    done: (made) => ({
      title: made.link === null ? 'Link Sent' : 'Link Created',
      message: `${name} can read payslips and statements with it.`,
    }),
    unchanged: 'No link was created.',
    onSettled: () => undefined,
    onReply: (made) => (made.link === null ? onClose() : setLink(made.link)),
  });
  if (link !== null) {
    return (
      <Dialog
        title="Link to documents"
        isOpen
        onClose={onClose}
        actions={
          <Button kind="solid" onPress={onClose}>
            Done
          </Button>
        }
      >
        <div className="form">
          <Notice tone="caution">
            <span className="strong">No mail server is set, so nothing was sent.</span> Give this
            link to {name} yourself. It is shown only here.
          </Notice>
          <div>
            <ShownOnce title="Link to documents" value={link.url} copyLabel="Copy link" />
            <p className="meta mt-1">
              Works once, until {write(link.expiresAt, 'long')}, {write(link.expiresAt, 'time')}.
            </p>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title="Send a link to documents?"
      isOpen
      kind="solid"
      keepLabel="Not now"
      confirmLabel="Send Link"
      isPending={create.isPending}
      pendingLabel="Sending the link"
      onConfirm={() => create.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        <span className="strong">{name}</span> can read payslips and statements with it, and do
        nothing else. It goes to {email}.
      </p>
    </ConfirmDialog>
  );
}
