import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Reader } from '#server/db/tx.ts';
import { enqueueMail } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { passwordLink } from '#server/modules/notifications/index.ts';
import { createPasswordTokens } from './create-password-tokens.ts';
import type { Identity } from '../identity.ts';
import { standingOf } from '../lock-person.ts';

interface Invited {
  id: string;
  name: string;
  email: string;
}

/**
 * Creates a link by which a person whom an admin added chooses their first password. It is mailed where a
 * mail server is set, else shown to the admin, once. It is no part of adding the person, whose reply is
 * stored to be given again.
 *
 * @throws {AppError} `person_not_found`, `person_wrong_standing`, `password_chosen`,
 *   `too_many_requests`
 */
export async function createPasswordLink(
  identity: Identity,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminCreatePasswordLink'>> {
  const person = await requireWithoutPassword(identity, id);
  await identity.attempts.spend('resetOfAccount', person.email);
  if (identity.confirmsEmail) {
    await mailLinks(identity, by, [person]);
    return { link: null };
  }
  const [link] = await showLinks(identity, by, [person]);
  if (link === undefined) throw new AppError('password_chosen');
  const { url, expiresAt } = link;
  return { link: { url, expiresAt } };
}

/**
 * Creates the links of several people, mailed or to be handed out. People who have a password, were
 * deactivated or are not accepted are left out.
 *
 * @throws {AppError} `invalid_request` for links to be mailed where no mail server is set
 */
export async function createPasswordLinks(
  identity: Identity,
  by: CommandContext,
  { personIds, way }: RouteArguments<'adminCreatePasswordLinks'>['body'],
): Promise<RouteReply<'adminCreatePasswordLinks'>> {
  if (way === 'mail' && !identity.confirmsEmail) {
    throw new AppError('invalid_request', {}, [{ path: 'way', message: 'No mail server is set' }]);
  }
  const people = await listWithoutPassword(identity.db, personIds);
  if (way === 'show') return { links: await showLinks(identity, by, people), mailedCount: 0 };
  await mailLinks(identity, by, people);
  return { links: [], mailedCount: people.length };
}

async function mailLinks(
  { db }: Identity,
  by: CommandContext,
  people: readonly Invited[],
): Promise<void> {
  await withTx(db, async (tx) => {
    for (const { id } of people) {
      record(tx, by, 'password.link_created', { id });
      enqueueMail(tx, { kind: 'choose-password', userId: id });
    }
  });
}

async function showLinks(
  identity: Identity,
  by: CommandContext,
  people: readonly Invited[],
): Promise<RouteReply<'adminCreatePasswordLinks'>['links']> {
  const { tokens, expiresAt } = await createPasswordTokens(
    identity,
    people.map(({ id }) => id),
  );
  const links = people.flatMap((person) => {
    const token = tokens.get(person.id);
    if (token === undefined) return [];
    const url = passwordLink(identity.url, token);
    return [{ ...person, url, expiresAt: expiresAt.toISOString() }];
  });
  await withTx(identity.db, async (tx) => {
    for (const { id } of links) record(tx, by, 'password.link_created', { id });
  });
  return links;
}

async function listWithoutPassword(
  reader: Reader,
  personIds: readonly string[],
): Promise<Invited[]> {
  return reader
    .selectFrom('appUser')
    .leftJoin('authAccount', (join) =>
      join.onRef('authAccount.userId', '=', 'appUser.id').on('password', 'is not', null),
    )
    .select(['appUser.id', 'name', 'email'])
    .where('appUser.id', 'in', personIds)
    .where('authAccount.userId', 'is', null)
    .where('acceptedAt', 'is not', null)
    .where('deactivatedAt', 'is', null)
    .orderBy('name')
    .orderBy('appUser.id')
    .execute();
}

async function requireWithoutPassword({ db }: Identity, id: string): Promise<Invited> {
  const [invited] = await listWithoutPassword(db, [id]);
  if (invited !== undefined) return invited;
  const person = await db
    .selectFrom('appUser')
    .select(['acceptedAt', 'deactivatedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (person === undefined) throw new AppError('person_not_found');
  const standing = standingOf(person);
  if (standing !== 'active') throw new AppError('person_wrong_standing', { status: standing });
  throw new AppError('password_chosen');
}
