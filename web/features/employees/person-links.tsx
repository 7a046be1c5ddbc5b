import { useState, type ReactNode } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { ShownOnce } from '#web/kit/shown-once.tsx';
import { useDecision } from '#web/kit/use-decision.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';

/** Link that is shown because no mail server is set. Null if it was mailed. */
export type PasswordLink = RouteReply<'adminCreatePasswordLink'>['link'];

interface LinkShownProps {
  name: string;
  /** "Link to documents" */
  title: string;
  link: NonNullable<PasswordLink>;
  /** Sentence after how long it works. */
  more?: string;
}

function LinkShown({ name, title, link, more = '' }: LinkShownProps) {
  const write = useMoments();
  const until = `${write(link.expiresAt, 'long')}, ${write(link.expiresAt, 'time')}`;
  return (
    <>
      <Notice tone="caution">
        <span className="strong">No mail server is set, so nothing was sent.</span> Give this link
        to {name} yourself. It is shown only here.
      </Notice>
      <ShownOnce
        title={title}
        value={link.url}
        copyLabel="Copy link"
        note={`Works once, until ${until}.${more}`}
      />
    </>
  );
}

/** Result of creating a link to choose a password: it was mailed, or it is shown here once. */
export function PasswordLinkShown({ name, link }: { name: string; link: PasswordLink }) {
  if (link === null) {
    return (
      <Notice tone="positive">
        A mail with a link to choose a password is on its way to {name}.
      </Notice>
    );
  }
  return (
    <LinkShown
      name={name}
      title="Link to choose a password"
      link={link}
      more=" You can create a new one in the list of employees."
    />
  );
}

interface LinkTaskProps {
  question: { title: string; confirm: string; pending: string };
  send: () => Promise<{ link: PasswordLink }>;
  /** Message once there is a link. */
  done: (made: { link: PasswordLink }) => { title: string; message: string };
  unchanged: string;
  /** Title of the dialog that shows the result. */
  title: string;
  result: (link: PasswordLink) => ReactNode;
  onClose: () => void;
  /** Purpose of the link. */
  children: ReactNode;
}

/** Asks, creates a link for a person, and shows what came of it. */
function LinkTask(props: LinkTaskProps) {
  const { question, send, done, unchanged, title, result, onClose, children } = props;
  const [made, setMade] = useState<{ link: PasswordLink }>();
  const create = useDecision({
    send,
    topic: 'people',
    done,
    unchanged,
    onSettled: () => undefined,
    onReply: setMade,
  });
  if (made !== undefined) {
    return (
      <DoneDialog title={title} onClose={onClose}>
        {result(made.link)}
      </DoneDialog>
    );
  }
  return (
    <ConfirmDialog
      title={question.title}
      kind="solid"
      keepLabel="Not now"
      confirmLabel={question.confirm}
      isPending={create.isPending}
      pendingLabel={question.pending}
      onConfirm={() => create.mutate(undefined)}
      onClose={onClose}
    >
      <p>{children}</p>
    </ConfirmDialog>
  );
}

interface ResendLinkProps {
  person: { id: string; name: string };
  onClose: () => void;
}

/** Creates another link for a person who has not chosen a password yet. */
export function ResendLink({ person: { id, name }, onClose }: ResendLinkProps) {
  return (
    <LinkTask
      question={{ title: 'Make a new link?', confirm: 'Make Link', pending: 'Making the link' }}
      send={() => call('adminCreatePasswordLink', { params: { id } })}
      done={({ link }) => ({
        title: link === null ? 'Link Sent' : 'Link Made',
        message: `${name} can choose a password with it.`,
      })}
      unchanged="No link was made."
      title="New link"
      result={(link) => <PasswordLinkShown name={name} link={link} />}
      onClose={onClose}
    >
      <span className="strong">{name}</span> chooses a password with it. Earlier links stop working.
    </LinkTask>
  );
}

interface DocumentsLinkProps {
  person: { id: string; name: string; email: string };
  onClose: () => void;
}

/** Sends a person who left a link to their documents. Without a mail server, shows the link once. */
export function DocumentsLink({ person: { id, name, email }, onClose }: DocumentsLinkProps) {
  return (
    <LinkTask
      question={{
        title: 'Send a link to documents?',
        confirm: 'Send Link',
        pending: 'Sending the link',
      }}
      send={() => call('adminCreateDocumentsLink', { params: { id } })}
      done={({ link }) => ({
        title: link === null ? 'Link Sent' : 'Link Created',
        message: `${name} can read payslips and statements with it.`,
      })}
      unchanged="No link was created."
      title="Link to documents"
      result={(link) =>
        link === null ? (
          <Notice tone="positive">The link is on its way to {email}.</Notice>
        ) : (
          <LinkShown name={name} title="Link to documents" link={link} />
        )
      }
      onClose={onClose}
    >
      <span className="strong">{name}</span> can read payslips and statements with it, and do
      nothing else. It goes to {email}.
    </LinkTask>
  );
}
