import { createHash } from 'node:crypto';
import { emailRule } from '#contract/email.ts';
import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import { invite } from '#contract/things/invite.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { writeMoment } from '#server/lib/calendar.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId, newToken } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { lockMaker } from '../lock-person.ts';
import { readSecondPeople } from '../second-people.ts';

export interface Invite {
  id: string;
  /** Shown once; only its SHA-256 is kept. */
  token: string;
  expiresAt: Date;
}

/**
 * Makes an invite that turns the person who redeems it into an admin: random 256 bits, for one use,
 * for INVITE_LIFE_HOURS.
 *
 * @param input.email the only account that may redeem it, where given
 * @throws {AppError} `cannot_invite_yet` for an admin who is nobody's second person yet; as `lockMaker`
 */
export async function createInvite(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: AuditContext,
  input: { email?: string } = {},
): Promise<Invite> {
  const now = services.clock.now();
  const creator = typeof by.actor === 'object' ? by.actor.id : null;
  if (creator !== null) await lockMaker(tx, creator);
  const refusal = creator === null ? null : await refusalOfInvites(tx, creator);
  if (refusal !== null) throw refusal;
  const email = input.email === undefined ? undefined : emailRule.clean(input.email);
  const token = newToken();
  const tokenHash = inviteHash(token);
  const made = {
    id: newId(now.getTime()),
    token,
    expiresAt: new Date(now.getTime() + INVITE_LIFE_HOURS * 3_600_000),
  };
  await tx
    .insertInto('adminInvite')
    .values({
      id: made.id,
      tokenHash,
      email: email ?? null,
      createdBy: creator,
      createdAt: now,
      expiresAt: made.expiresAt,
    })
    .execute();
  const act = creator === null ? 'createByCommand' : 'create';
  journal(tx, by, invite, act, {
    id: made.id,
    relatedId: null,
    at: now,
    details: {
      boundToEmail: email !== undefined,
      tokenHash: tokenHash.toString('hex'),
      expiresAt: made.expiresAt.toISOString(),
    },
    words: { invited: email ?? 'anyone with its link' },
  });
  return made;
}

/** Refusal of invites by an administrator whom nobody has had the time to look at; null where they may invite. */
export async function refusalOfInvites(reader: Reader, id: string): Promise<AppError | null> {
  const { people } = await readSecondPeople(reader);
  const from = people.find((one) => one.id === id)?.from ?? null;
  if (from === null) return null;
  const { timeZone, secondPersonHours } = await readSettings(reader);
  const until = writeMoment(from, timeZone, 'weekday');
  return new AppError('cannot_invite_yet', { until, hours: secondPersonHours });
}

export function inviteHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
