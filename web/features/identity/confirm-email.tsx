import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

interface ConfirmEmailProps {
  /** Of a sign-up, or of the new address of an account. */
  operation: 'confirmEmail' | 'confirmEmailChange';
  token: string;
  onDone: () => void;
}

const WORDS = {
  confirmEmail: {
    title: 'Confirm your email',
    done: 'Your email address is confirmed.',
    onward: 'Sign In',
  },
  confirmEmailChange: {
    title: 'Confirm your new email',
    done: 'Your email address is changed. You sign in with the new one from now on.',
    onward: 'Continue',
  },
} as const;

/** Opened from the mailed link: confirms the address, then leads on. */
export function ConfirmEmail({ operation, token, onDone }: ConfirmEmailProps) {
  const { mutate, isSuccess, error } = useMutation({
    mutationFn: (text: string) => call(operation, { body: { token: text } }),
  });
  useEffect(() => mutate(token), [mutate, token]);
  const { title, done, onward } = WORDS[operation];

  return (
    <>
      <PageTitle>{title}</PageTitle>
      {isSuccess && <Notice tone="positive">{done}</Notice>}
      {error !== null && (
        <Notice tone="critical" role="alert">
          {errorMessage(error, 'This link is no longer valid. Please ask for a new one.')}
        </Notice>
      )}
      {!isSuccess && error === null && (
        <p className="mt-6" role="status">
          <Spinner /> Confirming your address...
        </p>
      )}
      {(isSuccess || error !== null) && (
        <div className="mt-6">
          <Button kind="solid" shape="block" onPress={onDone}>
            {onward}
          </Button>
        </div>
      )}
    </>
  );
}
