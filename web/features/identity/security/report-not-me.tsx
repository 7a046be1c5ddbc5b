import { call } from '#web/api/client.ts';
import { MailedLinkTask } from '#web/kit/mailed-link-task.tsx';

interface ReportNotMeProps {
  /** Kind of the link: about a changed address, or of any other security notice. */
  operation: 'reportEmailChange' | 'reportNotice';
  token: string;
  onDone: () => void;
}

const WORDS = {
  reportEmailChange: {
    what: 'The email address of your account was changed. If you did not do this, undo the change here. Your payouts are frozen until an administrator has checked, and you choose a new password.',
    pending: 'Taking it back',
  },
  reportNotice: {
    what: 'We sent you a message about your account. If this was not you, report it here. Everyone is signed out, your passkeys, API keys and calendar address end, your payouts are frozen until an administrator has checked, and you choose a new password. Two-factor stays if you set it up before that message.',
    pending: 'Signing everyone out',
  },
} as const;

/** Opened from a mail: says that somebody else did what it reports. */
export function ReportNotMe({ operation, token, onDone }: ReportNotMeProps) {
  const { what, pending } = WORDS[operation];
  return (
    <MailedLinkTask
      title="This was not you?"
      what={what}
      label="This Was Not Me"
      pendingLabel={pending}
      kind="danger"
      act={() => call(operation, { body: { token } })}
      refusal="Nothing was changed. Please try again."
      done={() =>
        'Your payouts are frozen, and everyone is signed out. Ask for a new password at this address, then sign in.'
      }
      onward={{ label: 'Continue', onPress: onDone }}
    />
  );
}
