import type { KycDecision, KycStatus } from '#contract/kyc.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { enterAction } from '../application/history.ts';
import type { ActionWords } from '../application/history.ts';
import { presentApplication } from '../application/present.ts';
import type { ApplicationRow } from '../application/present.ts';

/** What the four commands of the review desk name: which application, as they saw it. */
export interface DecisionTarget {
  applicationId: string;
  version: number;
}

export interface Decision {
  decision: KycDecision;
  status: KycStatus;
  /** Kept in the application's history; the notes of a rejection are its reason. */
  written: ActionWords;
  /** Whether it settles the application. */
  isFinal: boolean;
  /** What the employee is notified of: never the words, which would outlive what they are about. */
  kind: PersonalKind;
  message: string;
}

/** Carries out a decision on an application that is locked and checked. */
export async function decide(
  tx: Tx,
  services: Services,
  by: CommandContext,
  row: ApplicationRow,
  decision: Decision,
): Promise<KycApplication> {
  const now = services.clock.now();
  const decided = await tx
    .updateTable('kycApplication')
    .set({
      ...(decision.isFinal ? { decidedBy: by.actor.id, decidedAt: now } : {}),
      status: decision.status,
      version: row.version + 1,
      updatedAt: now,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await enterAction(tx, services, by, decided, {
    action: decision.decision,
    written: decision.written,
  });
  recordAudit(tx, {
    by,
    action: `kyc.${decision.decision}`,
    subjectType: 'kyc_application',
    subjectId: row.id,
    personId: row.userId,
  });
  notify(tx, row.userId, {
    kind: decision.kind,
    message: decision.message,
    relatedId: row.id,
    at: now,
  });
  publish(tx, { topic: 'kyc', userId: row.userId }, { topic: 'kyc', userId: null });
  return presentApplication(tx, services.vault, decided);
}
