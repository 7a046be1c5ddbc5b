import { withTx } from '#server/db/tx.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { AuditEntry } from '#server/modules/audit/index.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { addressKey } from './attempts.ts';
import type { Call, Identity } from './identity.ts';

/**
 * Records, in a transaction of its own, that somebody was turned away. The same again within an hour
 * is recorded at the 10th, the 100th, the 1,000th time, each with how many there were: who is refused
 * all day long must not fill the audit trail.
 *
 * @param sameAs what makes two refusals the same besides their action: a person, a network
 */
export async function recordRefusal(
  { db, attempts }: Pick<Identity, 'db' | 'attempts'>,
  sameAs: readonly (string | null)[],
  entry: AuditEntry,
): Promise<void> {
  const times = await attempts.countRepeat(JSON.stringify([entry.action, ...sameAs]));
  if (!/^10*$/.test(String(times))) return;
  const details = times === 1 ? entry.details : { ...entry.details, times };
  await withTx(db, (tx) => recordAudit(tx, { ...entry, ...(details && { details }) }));
}

/** Records a refused sign-in: of that person, or of an address that nobody has, from that network. */
export async function recordSignInRefusal(
  identity: Pick<Identity, 'db' | 'attempts'>,
  { origin }: Pick<Call, 'origin'>,
  { userId, reason }: { userId: string | null; reason: ErrorCode },
): Promise<void> {
  await recordRefusal(identity, [reason, userId, addressKey(origin.ipAddress)], {
    by: { actor: 'visitor', origin },
    action: 'session.refused',
    subjectType: 'user',
    subjectId: userId,
    personId: userId,
    details: { reason },
  });
}
