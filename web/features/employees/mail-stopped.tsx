import type { EmployeePage } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { MailAgain } from '#web/kit/mail-again.tsx';
import { Time } from '#web/ui/time.tsx';

/** Notice that a person's mail does not arrive, with a retry. Renders nothing if mail arrives. */
export function MailStopped({
  person: { id, email, mailStoppedAt },
}: {
  person: Pick<EmployeePage, 'id' | 'email' | 'mailStoppedAt'>;
}) {
  if (mailStoppedAt === null) return null;
  return (
    <MailAgain send={() => call('adminResumeMail', { params: { id } })} topic="people">
      <span className="strong">
        Mail stopped <Time at={mailStoppedAt} as="dateTime" />.
      </span>{' '}
      The mail server says that {email} does not exist. Change the address, or send again, to fix
      this.
    </MailAgain>
  );
}
