import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

/** Opened from the mailed link: confirms the address, then leads to signing in. */
export function ConfirmEmail({ token, onDone }: { token: string; onDone: () => void }) {
  const { mutate, isSuccess, error } = useMutation({
    mutationFn: (text: string) => call('confirmEmail', { body: { token: text } }),
  });
  useEffect(() => mutate(token), [mutate, token]);

  return (
    <>
      <PageTitle>Confirm your email</PageTitle>
      {isSuccess && <Notice tone="positive">Your email address is confirmed.</Notice>}
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
            Sign In
          </Button>
        </div>
      )}
    </>
  );
}
