import { kindSpec } from '#contract/notification-kinds.ts';
import type { NotificationKindSpec } from '#contract/notification-kinds.ts';
import { EMAIL_SWITCH_LABELS } from '#contract/notifications.ts';
import type { EmailSwitch } from '#contract/notifications.ts';
import { prepared } from '#server/db/statement-names.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { MailKind } from '#server/events/outbox.ts';
import type { MailPayload } from '#server/events/deliver.ts';
import type { Mailer } from '#server/lib/mailer.ts';
import { invariant, InvariantError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { gatherForDigest, markMailed, readDigest } from './digests.ts';
import { mailFor, readEmailPreferences } from './email-preferences.ts';
import { isSuppressed, suppressMail } from './mail-suppression.ts';
import { placeOf } from './place-of.ts';
import { renderMail } from './render-mail.ts';
import type { MailContent } from './render-mail.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** Older news is not worth a mail. This also prevents mails about a demo company's past. */
const NOTICE_LIFE_MS = 48 * 3_600_000;

/** Creates the tokens of links at the moment of sending; null where there is nothing to link to. */
export interface MailLinks {
  /** Good once, for RESET_LINK_LIFE_MINUTES; only its hash is kept. */
  resetToken(email: string): Promise<string | null>;
  /** As `createPasswordTokens` makes them; null when a password is chosen already. */
  welcomeToken(email: string): Promise<string | null>;
  /** Good for CONFIRMATION_LINK_LIFE_HOURS; null when the address is confirmed already. */
  confirmationToken(email: string): Promise<string | null>;
  /** To the new address, of a change of address; null when it is confirmed or cancelled already. */
  changeToken(emailChangeId: string): Promise<string | null>;
  /** To the former address: good for REPORT_LINK_LIFE_HOURS. */
  reportToken(emailChangeId: string): Promise<string | null>;
  /** Link of a notice about security: good once, for REPORT_LINK_LIFE_HOURS. */
  noticeToken(notificationId: string): Promise<string | null>;
  /** To the documents of a person who left: good once, for DOCUMENTS_LINK_LIFE_HOURS. */
  documentsToken(email: string): Promise<string | null>;
  /** As `createInviteToken` makes them. */
  inviteToken(inviteId: string): Promise<string | null>;
}

export interface SendMailOptions {
  db: Db;
  services: Pick<Services, 'clock'>;
  mailer: Mailer;
  /** Public address of Purser, without a trailing slash. */
  url: string;
  readCompanyName: () => Promise<string>;
  links: MailLinks;
  unsubscribeLinks: UnsubscribeLinks;
  /** Called for a mail that cannot be delivered, with a sentence that has no address in it. */
  warn: (sentence: string) => void;
}

/**
 * Handler of the job `send-mail`: writes the mail that an outbox row requested, from ids, and sends
 * it. It does not send a mail that is obsolete by now, that the person does not want, or whose
 * address does not exist. It stores a notification for the digest if the person reads digests.
 * Throws when a retry is useful.
 */
export function createSendMail(options: SendMailOptions): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const { kind, userId, payload: ids } = payload as MailPayload;
    const { db, mailer, url } = options;
    const person = await readPerson(db, userId);
    if (person === undefined) return;
    // People who left get no other mail.
    if (person.deactivatedAt !== null && kind !== ('open-documents' satisfies MailKind)) return;
    const other = await otherAddressOf(db, kind, ids);
    if (other === null ? person.stoppedAt !== null : await isSuppressed(db, other)) return;
    const address = other ?? person.email;
    const content = await contentOf(options, kind as MailKind, { ids, person });
    if (content === null) return;
    if (other === null && hasToken(content)) await refuseFormerAddress(db, person);
    const outcome = await mailer.send({
      to: { name: kind === 'admin-invite' ? address : person.name, address },
      ...renderMail(content, {
        companyName: await options.readCompanyName(),
        url,
        firstName: person.firstName,
      }),
    });
    const now = options.services.clock.now();
    if (kind === 'digest') await markMailed(db, ids['digestId'] ?? '', now);
    if (outcome === 'unknown') {
      await suppressMail(db, { address, person, at: now });
      options.warn(
        `The mail server knows no such address as that of user ${userId}; a ${kind} mail was dropped.`,
      );
    }
  };
}

function readPerson(reader: Reader, userId: string) {
  return reader
    .selectFrom('appUser')
    .modifyFront(prepared)
    .leftJoin('mailSuppression', 'mailSuppression.email', 'appUser.email')
    .select(['id', 'appUser.email', 'role', 'firstName', 'name', 'since as stoppedAt'])
    .select('deactivatedAt')
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** True for a mail with a link by which its reader acts for the person. */
function hasToken(content: MailContent): boolean {
  return content.kind === 'notification' ? content.reportToken !== null : 'token' in content;
}

/**
 * Refuses to send a link to an address that is no longer the person's. The tokens of the mail are committed by now, and the
 * person's row is locked: a change of address either is seen here, or finds the tokens and spends them.
 *
 * @throws InvariantError to have the job tried again with the present address
 */
async function refuseFormerAddress(
  db: Db,
  { id, email }: Pick<MailRequest['person'], 'id' | 'email'>,
): Promise<void> {
  const present = await withTx(db, async (tx) => {
    await lockUser(tx, id);
    return readPerson(tx, id);
  });
  if (present?.email === email) return;
  throw new InvariantError('the address was changed while its mail was written');
}

interface MailRequest {
  ids: MailPayload['payload'];
  person: { id: string; email: string; name: string; role: 'employee' | 'admin' };
}

async function contentOf(
  options: SendMailOptions,
  kind: MailKind,
  { ids, person }: MailRequest,
): Promise<MailContent | null> {
  const { links } = options;
  switch (kind) {
    case 'notification':
      return noticeOf(options, person, invariant(ids['notificationId'], 'a notice without its id'));
    case 'digest':
      return digestOf(options, person, invariant(ids['digestId'], 'a digest without its id'));
    case 'confirm-email': {
      const token = await links.confirmationToken(person.email);
      return token === null ? null : { kind, token };
    }
    case 'reset-password': {
      const token = await links.resetToken(person.email);
      return token === null ? null : { kind, token };
    }
    case 'choose-password': {
      const token = await links.welcomeToken(person.email);
      return token === null ? null : { kind, token };
    }
    case 'confirm-new-email': {
      const id = invariant(ids['emailChangeId'], 'a new address without its id');
      const token = await links.changeToken(id);
      return token === null ? null : { kind, token };
    }
    case 'email-changed': {
      const id = invariant(ids['emailChangeId'], 'a changed address without its id');
      const token = await links.reportToken(id);
      return token === null ? null : { kind, token };
    }
    case 'open-documents': {
      const token = await links.documentsToken(person.email);
      return token === null ? null : { kind, token };
    }
    case 'admin-invite': {
      const id = invariant(ids['inviteId'], 'an invite without its id');
      const token = await links.inviteToken(id);
      return token === null ? null : { kind, token, invitedBy: person.name };
    }
    case 'account-exists':
    // Requested by an older version, before the notice of it existed; may still be in the outbox.
    case 'password-changed':
      return { kind };
    default:
      throw new InvariantError(`unknown kind of mail ${String(kind)}`);
  }
}

/**
 * Address of a mail that does not go to the person's own: the new or the former one of a changed
 * address, or the one that an admin invites.
 */
async function otherAddressOf(
  db: Db,
  kind: string,
  { emailChangeId, inviteId }: Readonly<Record<string, string>>,
): Promise<string | null> {
  if (inviteId !== undefined) {
    const invite = await db
      .selectFrom('adminInvite')
      .select('email')
      .where('id', '=', inviteId)
      .executeTakeFirst();
    return invite?.email ?? null;
  }
  if (emailChangeId === undefined) return null;
  const { email, formerEmail } = await db
    .selectFrom('emailChange')
    .select(['email', 'formerEmail'])
    .where('id', '=', emailChangeId)
    .executeTakeFirstOrThrow();
  return kind === 'confirm-new-email' ? email : formerEmail;
}

async function noticeOf(
  { db, services, url, links, unsubscribeLinks }: SendMailOptions,
  { id: userId, role }: MailRequest['person'],
  notificationId: string,
): Promise<MailContent | null> {
  const now = services.clock.now();
  const since = new Date(now.getTime() - NOTICE_LIFE_MS);
  const notice = await db
    .selectFrom('notification')
    .modifyFront(prepared)
    .select(['kind', 'title', 'message', 'relatedId'])
    .where('id', '=', notificationId)
    .where('createdAt', '>', since)
    .executeTakeFirst();
  if (notice === undefined) return null;
  const mail = mailOf(notice.kind);
  const fate = mailFor(mail, await readEmailPreferences(db, userId));
  if (fate === 'gather') await gatherForDigest(db, { notificationId, userId, at: now });
  if (fate !== 'send') return null;
  return {
    ...notice,
    kind: 'notification',
    url: `${url}${placeOf(notice, role)}`,
    reportToken: isReportable(notice.kind) ? await links.noticeToken(notificationId) : null,
    unsubscribeUrl: isSwitch(mail) ? unsubscribeLinks.urlFor(userId, mail) : null,
  };
}

async function digestOf(
  { db, url, unsubscribeLinks }: SendMailOptions,
  { id: userId, role }: MailRequest['person'],
  digestId: string,
): Promise<MailContent | null> {
  const preferences = await readEmailPreferences(db, userId);
  const notices = await readDigest(db, digestId);
  const wanted = notices.filter(({ kind }) => mailFor(mailOf(kind), preferences) !== 'drop');
  if (wanted.length === 0) return null;
  return {
    kind: 'digest',
    isWeekly: preferences.emailFrequency === 'weekly',
    notices: wanted.map((notice) => ({ ...notice, url: `${url}${placeOf(notice, role)}` })),
    inboxUrl: `${url}/${role}/notifications`,
    unsubscribeUrl: unsubscribeLinks.urlFor(userId, 'emailEnabled'),
  };
}

function isSwitch(mail: NotificationKindSpec['mail']): mail is EmailSwitch {
  return Object.hasOwn(EMAIL_SWITCH_LABELS, mail);
}

function isReportable(kind: string): boolean {
  return kindSpec(kind)?.isReportable === true;
}

/**
 * A kind that this version does not know is mailed, because losing an important mail would be
 * worse.
 */
function mailOf(kind: string): NotificationKindSpec['mail'] {
  return kindSpec(kind)?.mail ?? 'always';
}
