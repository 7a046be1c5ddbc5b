import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { journal, record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { revokeKeysOf } from '../api-keys/revoke-api-key.ts';
import { revokeInvitesOf } from '../invites/revoke-invite.ts';
import { endSessionOf, endSessionsOf } from '../sessions/end-sessions.ts';
import { lockPerson } from '../lock-person.ts';
import { waitAsSecondPerson } from '../second-people.ts';
import type { AccessChange } from '../second-people.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * Deactivates a person: their sessions end, so do API keys and invites they made, they cannot sign in, and payroll
 * does not pay them. What they have stays theirs, and so do their requests in progress, which admins
 * decide as before.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function deactivatePerson(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: AccessChange,
): Promise<void> {
  const { name, isAdmin } = await lockPerson(tx, by, { id, act: 'deactivate' });
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ deactivatedAt: at, standingReason: reason, updatedAt: at })
    .where('id', '=', id)
    .execute();
  const ended = await endAccess(tx, by, id, at);
  await tx.deleteFrom('authVerification').where('value', '=', id).execute();
  const details = { reason, ...ended };
  enqueueJob(tx, { name: 'sweep-recoveries', payload: {} });
  const act = isAdmin ? 'deactivateAdmin' : 'deactivate';
  journal(tx, by, person, act, { id, at, details, words: { name, reason } });
}

/**
 * Lets a deactivated person in again, as what they were.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function reactivatePerson(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason, causes = [by.actor.id] }: AccessChange,
): Promise<void> {
  const { name, isAdmin } = await lockPerson(tx, by, { id, act: 'reactivate' });
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ deactivatedAt: null, standingReason: reason, updatedAt: at })
    .where('id', '=', id)
    .execute();
  // Links to their documents end: they sign in again.
  await tx.deleteFrom('authVerification').where('value', '=', id).execute();
  await waitAsSecondPerson(tx, { userId: id, since: at, causes });
  const act = isAdmin ? 'reactivateAdmin' : 'reactivate';
  journal(tx, by, person, act, { id, at, details: { reason }, words: { name, reason } });
}

/**
 * Signs a person out everywhere.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function endSessions(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id }: { id: string },
): Promise<void> {
  await lockPerson(tx, by, { id, act: 'endSessions' });
  const sessions = await endSessionsOf(tx, id);
  journal(tx, by, person, 'endSessions', { id, at: clock.now(), details: { sessions } });
}

/**
 * Ends one session of a person.
 *
 * @throws {AppError} as `lockPerson`; `not_found` when the person has no such session
 */
export async function endSession(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<void> {
  await lockPerson(tx, by, { id, act: 'endSessions' });
  await endSessionOf(tx, { userId: id, sessionId });
  const at = clock.now();
  record(tx, by, 'session.revoked_by_admin', { id: sessionId, personId: id, relatedId: id, at });
}

/**
 * Takes the rights of an admin away, who is an employee from then on; their sessions as an admin end,
 * and so do API keys and invites they made.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function revokeAdmin(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: AccessChange,
): Promise<void> {
  const { name } = await lockPerson(tx, by, { id, act: 'revokeAdmin' });
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ role: 'employee', standingReason: reason, updatedAt: at })
    .where('id', '=', id)
    .execute();
  const details = { reason, ...(await endAccess(tx, by, id, at)) };
  journal(tx, by, person, 'revokeAdmin', { id, at, details, words: { name, reason } });
}

/** Ends the sessions of a person, and the API keys and invites that they made. Returns how many there were. */
async function endAccess(
  tx: Tx,
  by: CommandContext,
  id: string,
  at: Date,
): Promise<{ sessions: number; apiKeys: number; invites: number }> {
  const sessions = await endSessionsOf(tx, id);
  const made = { userId: id, revokedBy: by.actor.id, at };
  const apiKeys = await revokeKeysOf(tx, by, made);
  return { sessions, apiKeys, invites: await revokeInvitesOf(tx, by, made) };
}
