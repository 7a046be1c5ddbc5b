import { prepared } from '#server/db/statement-names.ts';
import type { Db } from '#server/db/tx.ts';
import type { MailKind } from '#server/events/outbox.ts';
import type { MailPayload } from '#server/events/deliver.ts';
import type { Mailer } from '#server/lib/mailer.ts';
import { invariant, InvariantError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { renderMail } from './render-mail.ts';
import type { MailContent } from './render-mail.ts';

/** Nobody wants last week's news; also keeps a demo company's past out of the post. */
const NOTICE_LIFE_MS = 48 * 3_600_000;

export interface SendMailOptions {
  db: Db;
  services: Pick<Services, 'clock'>;
  mailer: Mailer;
  /** Where people reach Purser, without a closing slash. */
  url: string;
  readCompanyName: () => Promise<string>;
  /** Makes the tokens of links, at the moment of sending; null when there is nothing to link to. */
  links: {
    resetToken(email: string): Promise<string | null>;
    welcomeToken(email: string): Promise<string | null>;
    confirmationToken(email: string): Promise<string | null>;
    changeToken(emailChangeId: string): Promise<string | null>;
    reportToken(emailChangeId: string): Promise<string | null>;
  };
  /** Called, without an address, for a mail that cannot be delivered. */
  warn: (sentence: string) => void;
}

/**
 * The work of the job `send-mail`: writes the mail an outbox row asked for, from ids, and sends it.
 * What has become pointless meanwhile is not sent. Throws when it is worth another try.
 */
export function createSendMail(options: SendMailOptions): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const { kind, userId, payload: ids } = payload as MailPayload;
    const { db, mailer, url } = options;
    const person = await db
      .selectFrom('appUser')
      .modifyFront(prepared)
      .select(['email', 'firstName', 'name'])
      .where('id', '=', userId)
      .where('deactivatedAt', 'is', null)
      .executeTakeFirst();
    if (person === undefined) return;
    const content = await contentOf(options, kind as MailKind, { ...ids, email: person.email });
    if (content === null) return;
    const outcome = await mailer.send({
      to: { name: person.name, address: (await otherAddressOf(db, kind, ids)) ?? person.email },
      ...renderMail(content, {
        companyName: await options.readCompanyName(),
        url,
        firstName: person.firstName,
      }),
    });
    if (outcome === 'refused') {
      options.warn(
        `The mail server refuses the address of user ${userId}; a ${kind} mail was dropped.`,
      );
    }
  };
}

async function contentOf(
  { db, services, links }: SendMailOptions,
  kind: MailKind,
  {
    email,
    notificationId,
    emailChangeId,
  }: { email: string; notificationId?: string; emailChangeId?: string },
): Promise<MailContent | null> {
  switch (kind) {
    case 'notification': {
      const since = new Date(services.clock.now().getTime() - NOTICE_LIFE_MS);
      const notice = await db
        .selectFrom('notification')
        .modifyFront(prepared)
        .select(['title', 'message'])
        .where('id', '=', invariant(notificationId, 'a notice without its id'))
        .where('createdAt', '>', since)
        .executeTakeFirst();
      return notice === undefined ? null : { kind, ...notice };
    }
    case 'confirm-email': {
      const token = await links.confirmationToken(email);
      return token === null ? null : { kind, token };
    }
    case 'reset-password': {
      const token = await links.resetToken(email);
      return token === null ? null : { kind, token };
    }
    case 'choose-password': {
      const token = await links.welcomeToken(email);
      return token === null ? null : { kind, token };
    }
    case 'confirm-new-email': {
      const id = invariant(emailChangeId, 'a new address without its id');
      const token = await links.changeToken(id);
      return token === null ? null : { kind, token };
    }
    case 'email-changed': {
      const id = invariant(emailChangeId, 'a changed address without its id');
      const token = await links.reportToken(id);
      return token === null ? null : { kind, token };
    }
    case 'account-exists':
    case 'password-changed':
      return { kind };
    default:
      throw new InvariantError(`unknown kind of mail ${String(kind)}`);
  }
}

/** Where a mail about a change of address goes: to the new one, or to the former one. */
async function otherAddressOf(
  db: Db,
  kind: string,
  { emailChangeId }: Readonly<Record<string, string>>,
): Promise<string | null> {
  if (emailChangeId === undefined) return null;
  const { email, formerEmail } = await db
    .selectFrom('emailChange')
    .select(['email', 'formerEmail'])
    .where('id', '=', emailChangeId)
    .executeTakeFirstOrThrow();
  return kind === 'confirm-new-email' ? email : formerEmail;
}
