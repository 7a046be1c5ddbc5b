import type { AdminDeposit } from '#contract/api.ts';
import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { LockedDeposit } from './lock-deposit.ts';
import { loadAdminDeposit } from './queries.ts';

interface Outcome {
  at: Date;
  action: 'deposit.approved' | 'deposit.rejected';
  /** The ledger transaction that the approval posted. */
  transactionId?: string;
  /** What the employee is notified of. */
  kind: PersonalKind;
  message: string;
}

/** The end that both decisions share: audit, notify the employee, refresh screens, present. */
export async function recordDecision(
  tx: Tx,
  by: CommandContext,
  deposit: LockedDeposit,
  outcome: Outcome,
): Promise<AdminDeposit> {
  const { id, userId, reference } = deposit;
  recordAudit(tx, {
    by,
    action: outcome.action,
    subjectType: 'deposit',
    subjectId: id,
    personId: userId,
    details: {
      reference,
      at: outcome.at.toISOString(),
      ...(outcome.transactionId !== undefined && { transactionId: outcome.transactionId }),
    },
  });
  notify(tx, userId, {
    kind: outcome.kind,
    message: outcome.message,
    relatedId: id,
    at: outcome.at,
  });
  publish(
    tx,
    { topic: 'deposits', userId },
    { topic: 'wallets', userId },
    { topic: 'deposits', userId: null },
  );
  return loadAdminDeposit(tx, id);
}
