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

export type PasswordLink = RouteReply<'adminCreatePasswordLink'>['link'];

/** Result of creating a link to choose a password: it was mailed, or it is shown here once. */
export function PasswordLinkShown({ name, link }: { name: string; link: PasswordLink }) {
  const write = useMoments();
  if (link === null) {
    return (
      <Notice tone="positive">
        A mail with a link to choose a password is on its way to {name}.
      </Notice>
    );
  }
  return (
    <div className="form">
      <Notice tone="caution">
        <span className="strong">No mail server is set, so nothing was sent.</span> Give this link
        to {name} yourself. It is shown only here.
      </Notice>
      <div>
        <ShownOnce title="Link to choose a password" value={link.url} copyLabel="Copy link" />
        <p className="meta mt-1">
          Works once, until {write(link.expiresAt, 'long')}, {write(link.expiresAt, 'time')}. You
          can create a new one in the list of employees.
        </p>
      </div>
    </div>
  );
}

interface ResendLinkProps {
  person: { id: string; name: string };
  onClose: () => void;
}

/** Creates another link for a person who has not chosen a password yet. */
export function ResendLink({ person: { id, name }, onClose }: ResendLinkProps) {
  const [made, setMade] = useState<{ link: PasswordLink }>();
  const resend = useDecision({
    send: () => call('adminCreatePasswordLink', { params: { id } }),
    topic: 'people',
    done: ({ link }) => ({
      title: link === null ? 'Link Sent' : 'Link Made',
      message: `${name} can choose a password with it.`,
    }),
    unchanged: 'No link was made.',
    onSettled: () => undefined,
    onReply: setMade,
  });
  if (made !== undefined) {
    return (
      <Dialog
        title="New link"
        isOpen
        onClose={onClose}
        actions={
          <Button kind="solid" onPress={onClose}>
            Done
          </Button>
        }
      >
        <PasswordLinkShown name={name} link={made.link} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title="Make a new link?"
      isOpen
      kind="solid"
      keepLabel="Not now"
      confirmLabel="Make Link"
      isPending={resend.isPending}
      pendingLabel="Making the link"
      onConfirm={() => resend.mutate(undefined)}
      onClose={onClose}
    >
      <p>
        <span className="strong">{name}</span> chooses a password with it. Earlier links stop
        working.
      </p>
    </ConfirmDialog>
  );
}
