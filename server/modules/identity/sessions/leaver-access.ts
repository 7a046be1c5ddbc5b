import type { RouteReply } from '#contract/api.ts';
import { DOCUMENTS_LINK_LIFE_HOURS, DOCUMENTS_OPEN_HOURS } from '#contract/limits.ts';
import { withTx } from '#server/db/tx.ts';
import type { Reader } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import type { Actor, CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { documentsLink } from '#server/modules/notifications/index.ts';
import { answerByMail } from '../answer-after.ts';
import type { Call, Identity } from '../identity.ts';
import { createLinkToken, findByLinkToken, spendLinkToken } from '../link-token.ts';
import { clearCookie, readCookie, setCookie } from './cookies.ts';
import { endSessionOfBrowser } from './end-sessions.ts';

/**
 * Access of people who left to their own payslips and statements. It is a cookie of its own that no
 * session code reads: only operations marked `isForLeavers` ask for it (decision 039).
 */

/**
 * Mails a person who left a link to their documents. The answer does not show whether there is one.
 *
 * @throws {AppError} `too_many_requests`
 */
export async function requestDocumentsLink(
  identity: Identity,
  { origin }: Call,
  email: string,
): Promise<void> {
  await answerByMail(identity, { origin }, email, async () => {
    const leaver = await findLeaver(identity.db, { email });
    if (leaver === undefined) return;
    await withTx(identity.db, async (tx) => {
      record(tx, { actor: 'visitor', origin }, 'documents.link_requested', { id: leaver.id });
      enqueueMail(tx, { kind: 'open-documents', userId: leaver.id });
    });
  });
}

/**
 * A link to their documents for a person who left: mailed where there is a mail server, else shown to the
 * admin, once.
 *
 * @throws {AppError} `person_not_found`, `person_still_here`, `too_many_requests`
 */
export async function createDocumentsLink(
  identity: Identity,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminCreateDocumentsLink'>> {
  const leaver = await requireLeaver(identity.db, id);
  await identity.attempts.spend('resetOfAccount', leaver.email);
  await withTx(identity.db, async (tx) => {
    record(tx, by, 'documents.link_created', { id });
    if (identity.confirmsEmail) enqueueMail(tx, { kind: 'open-documents', userId: id });
  });
  if (identity.confirmsEmail) return { link: null };
  const { token, expiresAt } = await createToken(identity, id);
  return { link: { url: documentsLink(identity.url, token), expiresAt: expiresAt.toISOString() } };
}

/** The token of a mailed link; null where the person is back by now. */
export async function createDocumentsToken(
  identity: Identity,
  email: string,
): Promise<string | null> {
  const leaver = await findLeaver(identity.db, { email });
  return leaver === undefined ? null : (await createToken(identity, leaver.id)).token;
}

/**
 * Opens the documents of a person who left, with the token of a link, which is spent by it. The session
 * that the browser came with is ended.
 *
 * @throws {AppError} `link_invalid`
 */
export async function openDocuments(
  identity: Identity,
  { origin, headers }: Call,
  token: string,
): Promise<{ reply: { ok: true }; cookies: readonly string[]; clearsCache: true }> {
  const now = identity.services.clock.now();
  const leaver = await withTx(identity.db, async (tx) => {
    const id = await spendLinkToken(tx, { purpose: 'documents-link', token });
    const found = id === null ? undefined : await findLeaver(tx, { id });
    if (found === undefined) throw new AppError('link_invalid');
    await endSessionOfBrowser(tx, identity, headers);
    record(tx, { actor: actorOf(found), origin }, 'documents.opened', { id: found.id });
    return found;
  });
  const opened = await createLinkToken(identity.db, {
    purpose: 'documents-open',
    value: leaver.id,
    now,
    lifeHours: DOCUMENTS_OPEN_HOURS,
  });
  return {
    reply: { ok: true },
    cookies: [setCookie(identity, 'documents', opened, DOCUMENTS_OPEN_HOURS * 3_600)],
    clearsCache: true,
  };
}

/** Ends it before its time. */
export async function closeDocuments(
  identity: Identity,
  { headers }: Call,
): Promise<{ reply: { ok: true }; cookies: readonly string[]; clearsCache: true }> {
  const token = readCookie(identity, headers, 'documents');
  if (token !== null) {
    await withTx(identity.db, (tx) => spendLinkToken(tx, { purpose: 'documents-open', token }));
  }
  return { reply: { ok: true }, cookies: [clearCookie(identity, 'documents')], clearsCache: true };
}

/** The person who left and whose documents this browser has open; null for everybody else. */
export async function resolveLeaver(identity: Identity, headers: Headers): Promise<Actor | null> {
  const token = readCookie(identity, headers, 'documents');
  if (token === null) return null;
  const now = identity.services.clock.now();
  const id = await findByLinkToken(identity.db, { purpose: 'documents-open', token, now });
  const leaver = id === null ? undefined : await findLeaver(identity.db, { id });
  return leaver === undefined ? null : actorOf(leaver);
}

interface Leaver {
  id: string;
  name: string;
  email: string;
}

/** A person who was an employee, and is deactivated. */
function findLeaver(
  reader: Reader,
  by: { id: string } | { email: string },
): Promise<Leaver | undefined> {
  return reader
    .selectFrom('appUser')
    .select(['id', 'name', 'email'])
    .where((one) => ('id' in by ? one('id', '=', by.id) : one('email', '=', by.email)))
    .where('deactivatedAt', 'is not', null)
    .where('acceptedAt', 'is not', null)
    .executeTakeFirst();
}

async function requireLeaver(reader: Reader, id: string): Promise<Leaver> {
  const leaver = await findLeaver(reader, { id });
  if (leaver !== undefined) return leaver;
  const known = await reader
    .selectFrom('appUser')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  throw new AppError(known === undefined ? 'person_not_found' : 'person_still_here');
}

async function createToken(
  { db, services }: Identity,
  userId: string,
): Promise<{ token: string; expiresAt: Date }> {
  const now = services.clock.now();
  const lifeHours = DOCUMENTS_LINK_LIFE_HOURS;
  const token = await createLinkToken(db, {
    purpose: 'documents-link',
    value: userId,
    now,
    lifeHours,
  });
  return { token, expiresAt: new Date(now.getTime() + lifeHours * 3_600_000) };
}

function actorOf({ id, name }: Leaver): Actor {
  return { id, name, role: 'employee' };
}
