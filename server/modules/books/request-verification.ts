import type { Tx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';

/** Requests a verification of everything. If one is in progress, no other is started. */
export function requestVerification(tx: Tx, by: CommandContext): void {
  recordAudit(tx, {
    by,
    action: 'books.verification_requested',
    subjectType: 'books',
    subjectId: null,
  });
  enqueueJob(tx, { name: 'verify-books', payload: {} });
}
