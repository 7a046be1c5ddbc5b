import { useMutation } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { SWITCHES } from './preference-words.ts';

/**
 * Opened from a mail: asks once more, since mail programs and their scanners open links by themselves.
 */
export function Unsubscribe({ token }: { token: string }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call('unsubscribe', { body: { token } }),
  });
  return (
    <>
      <PageTitle>Unsubscribe</PageTitle>
      {data === undefined ? (
        <p className="mt-3">
          You will get no more mails like the one you came from. Changes to your sign-in and to
          where your money goes are always sent.
        </p>
      ) : (
        <div className="mt-6">
          <Notice tone="positive" role="status">
            {`${nameOf(data.what)} switched off. You can switch that on again in your notifications.`}
          </Notice>
        </div>
      )}
      {error !== null && (
        <div className="mt-6">
          <Notice tone="critical" role="alert">
            {errorMessage(error, 'This link is no longer valid.')}
          </Notice>
        </div>
      )}
      {data === undefined && (
        <div className="mt-6">
          <Button
            kind="solid"
            shape="block"
            isPending={isPending}
            pendingLabel="Unsubscribing"
            onPress={() => mutate()}
          >
            Unsubscribe
          </Button>
        </div>
      )}
    </>
  );
}

/** "Deposit alerts are" */
function nameOf(what: RouteReply<'unsubscribe'>['what']): string {
  const found = [...SWITCHES.employee, ...SWITCHES.admin].find(({ name }) => name === what);
  return found === undefined ? 'Mail from Purser is' : `${found.label} by mail are`;
}
