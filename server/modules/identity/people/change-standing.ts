import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify, notifyAdmins } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { revokeKeysOf } from '../api-keys/revoke-api-key.ts';
import { endSessionOf, endSessionsOf } from '../sessions/end-sessions.ts';
import { lockPerson, refuseErased } from '../lock-person.ts';
import type { LockedPerson } from '../lock-person.ts';
import { waitAsSecondPerson } from '../second-people.ts';

type Clocked = Pick<Services, 'clock'>;

interface WithReason {
  id: string;
  reason: string;
}

/**
 * Deactivates a person: their sessions end, so do API keys they made, they cannot sign in, and payroll
 * does not pay them. What they have stays theirs, and so do their requests in progress, which admins
 * decide as before.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function deactivatePerson(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: WithReason,
): Promise<void> {
  const person = await lockPerson(tx, by, { id, action: 'deactivate' });
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ deactivatedAt: at, standingReason: reason, updatedAt: at })
    .where('id', '=', id)
    .execute();
  const sessions = await endSessionsOf(tx, id);
  const apiKeys = await revokeKeysOf(tx, by, { userId: id, revokedBy: by.actor.id, at });
  await tx.deleteFrom('authVerification').where('value', '=', id).execute();
  await record(tx, by, person, {
    action: 'person.deactivated',
    details: { reason, sessions, apiKeys },
  });
  notifyAdmins(tx, {
    kind: person.isAdmin ? 'administrator-deactivated' : 'person-deactivated',
    message: `${by.actor.name} deactivated ${person.name}. Reason: ${reason}`,
    relatedId: id,
    at,
  });
}

/**
 * Lets a deactivated person in again, as what they were.
 *
 * @throws {AppError} as `lockPerson`; `person_erased` once their key is destroyed
 */
export async function reactivatePerson(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: WithReason,
): Promise<void> {
  const person = await lockPerson(tx, by, { id, action: 'reactivate' });
  await refuseErased(tx, id);
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ deactivatedAt: null, standingReason: reason, updatedAt: at })
    .where('id', '=', id)
    .execute();
  // Links to their documents end: they sign in again.
  await tx.deleteFrom('authVerification').where('value', '=', id).execute();
  await waitAsSecondPerson(tx, id, at);
  await record(tx, by, person, { action: 'person.reactivated', details: { reason } });
  notifyAdmins(tx, {
    kind: person.isAdmin ? 'administrator-reactivated' : 'person-reactivated',
    message: `${by.actor.name} reactivated ${person.name}. Reason: ${reason}`,
    relatedId: id,
    at,
  });
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
  id: string,
): Promise<void> {
  const person = await lockPerson(tx, by, { id, action: 'endSessions' });
  const sessions = await endSessionsOf(tx, id);
  await record(tx, by, person, { action: 'session.all_ended', details: { sessions } });
  notify(tx, id, {
    kind: 'sessions-ended',
    message: `${by.actor.name} signed you out everywhere. If you do not know why, ask this administrator, and change your password.`,
    relatedId: id,
    at: clock.now(),
  });
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
  await lockPerson(tx, by, { id, action: 'endSessions' });
  await endSessionOf(tx, { userId: id, sessionId });
  recordAudit(tx, {
    by,
    action: 'session.revoked',
    subjectType: 'session',
    subjectId: sessionId,
    personId: id,
  });
  notify(tx, id, {
    kind: 'sessions-ended',
    message: `${by.actor.name} signed you out in one browser. If you do not know why, ask this administrator, and change your password.`,
    relatedId: id,
    at: clock.now(),
  });
}

/**
 * Takes the rights of an admin away, who is an employee from then on; their sessions as an admin end,
 * and so do API keys they made.
 *
 * @throws {AppError} as `lockPerson`
 */
export async function revokeAdmin(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: WithReason,
): Promise<void> {
  const person = await lockPerson(tx, by, { id, action: 'revokeAdmin' });
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ role: 'employee', standingReason: reason, updatedAt: at })
    .where('id', '=', id)
    .execute();
  const sessions = await endSessionsOf(tx, id);
  const apiKeys = await revokeKeysOf(tx, by, { userId: id, revokedBy: by.actor.id, at });
  await record(tx, by, person, { action: 'admin.revoked', details: { reason, sessions, apiKeys } });
  notify(tx, id, {
    kind: 'sessions-ended',
    message: `${by.actor.name} removed your administrator rights, and you were signed out. Reason: ${reason}`,
    relatedId: id,
    at,
  });
  notifyAdmins(tx, {
    kind: 'administrator-removed',
    message: `${by.actor.name} removed the administrator rights of ${person.name}. Reason: ${reason}`,
    relatedId: id,
    at,
  });
}

async function record(
  tx: Tx,
  by: CommandContext,
  person: LockedPerson,
  { action, details }: { action: string; details: Record<string, string | number> },
): Promise<void> {
  recordAudit(tx, {
    by,
    action,
    subjectType: 'user',
    subjectId: person.id,
    personId: person.id,
    details,
  });
  publish(tx, { topic: 'people', userId: null });
}
