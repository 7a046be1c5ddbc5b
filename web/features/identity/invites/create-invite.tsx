import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { problemUnlessEmpty } from '#contract/rules.ts';
import { call } from '#web/api/client.ts';
import { toastFailure } from '#web/kit/action.tsx';
import { ShownOnce } from '#web/kit/shown-once.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useMoments } from '#web/ui/time.tsx';

type Invite = RouteReply<'adminCreateInvite'>;

/** Makes an invite, then shows its link, this once, unless it was mailed. Shown while it is mounted. */
export function CreateInvite({ onClose }: { onClose: () => void }) {
  const [invite, setInvite] = useState<Invite>();
  if (invite !== undefined) return <InviteCreated invite={invite} onClose={onClose} />;
  return <InviteForm onCreated={setInvite} onClose={onClose} />;
}

interface InviteFormProps {
  onCreated: (invite: Invite) => void;
  onClose: () => void;
}

function InviteForm({ onCreated, onClose }: InviteFormProps) {
  return (
    <TaskDialog
      title="Create admin invite"
      initial={{ email: '' }}
      check={({ email }) => ({ email: problemUnlessEmpty(emailRule, email) })}
      send={({ email }) =>
        call('adminCreateInvite', { body: { email: email.trim() === '' ? null : email } })
      }
      topics={['people']}
      onDone={onCreated}
      onFailed={(error) => toastFailure('Failed to create invite', error, 'Try again')}
      submit={{ label: 'Create Invite', pending: 'Creating' }}
      onClose={onClose}
    >
      {({ email }) => (
        <>
          <TextField
            label="Email"
            optional
            type="email"
            autoComplete="off"
            hint="With an email, only that person can use the link. Without one, anyone who has it can."
            {...email}
          />
          <Notice tone="caution">
            An administrator can move money and open identity documents.
          </Notice>
        </>
      )}
    </TaskDialog>
  );
}

function InviteCreated({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const write = useMoments();
  const { link, email, expiresAt } = invite;
  const until = `${write(expiresAt, 'long')}, ${write(expiresAt, 'time')}`;
  return (
    <DoneDialog title="Invite created" onClose={onClose}>
      {link === null ? (
        <Notice tone="positive">
          {`The link is on its way to ${email}. It works once, until ${until}.`}
        </Notice>
      ) : (
        <ShownOnce
          title={email === null ? 'Link for anyone who has it' : `Link for ${email}`}
          value={link}
          copyLabel="Copy link"
          note={`Shown only now. Works once, until ${until}.`}
        />
      )}
      <p>The person opens the link, chooses a password and is an administrator.</p>
    </DoneDialog>
  );
}
