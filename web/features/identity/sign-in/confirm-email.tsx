import { call } from '#web/api/client.ts';
import { MailedLinkTask } from '#web/kit/mailed-link-task.tsx';

interface ConfirmEmailProps {
  /** Kind of the link: of a sign-up, or of the new address of an account. */
  operation: 'confirmEmail' | 'confirmEmailChange';
  token: string;
  onDone: () => void;
}

const WORDS = {
  confirmEmail: {
    title: 'Confirm your email',
    what: 'This confirms that the address where you got our mail is yours.',
    label: 'Confirm Email',
    done: 'Your email address is confirmed.',
    onward: 'Sign In',
  },
  confirmEmailChange: {
    title: 'Confirm your new email',
    what: 'This makes the address where you got our mail the address of your account. You sign in with it from then on.',
    label: 'Confirm New Email',
    done: 'Your email address is changed. You sign in with the new one from now on.',
    onward: 'Continue',
  },
} as const;

/** Opened from a mailed link: confirms the address, then leads on. */
export function ConfirmEmail({ operation, token, onDone }: ConfirmEmailProps) {
  const { title, what, label, done, onward } = WORDS[operation];
  return (
    <MailedLinkTask
      title={title}
      what={what}
      label={label}
      pendingLabel="Confirming"
      act={() => call(operation, { body: { token } })}
      refusal="This link is no longer valid. Please ask for a new one."
      done={() => done}
      onward={{ label: onward, onPress: onDone }}
    />
  );
}
