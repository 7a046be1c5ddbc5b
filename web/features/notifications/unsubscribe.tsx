import type { RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { MailedLinkTask } from '#web/kit/mailed-link-task.tsx';
import { SWITCHES } from './preference-words.ts';

/** Opened from a link in a mail. Switches off mails of its kind. */
export function Unsubscribe({ token }: { token: string }) {
  return (
    <MailedLinkTask
      title="Unsubscribe"
      what="You will get no more mails of this kind. Changes to your sign-in and to your bank accounts are always mailed."
      label="Unsubscribe"
      pendingLabel="Unsubscribing"
      act={() => call('unsubscribe', { body: { token } })}
      refusal="This link is no longer valid."
      done={({ what }) =>
        `${nameOf(what)} switched off. You can switch that on again in your notifications.`
      }
    />
  );
}

/** "Deposit alerts are" */
function nameOf(what: RouteReply<'unsubscribe'>['what']): string {
  const found = [...SWITCHES.employee, ...SWITCHES.admin].find(({ name }) => name === what);
  return found === undefined ? 'Mail from Purser is' : `${found.label} by mail are`;
}
