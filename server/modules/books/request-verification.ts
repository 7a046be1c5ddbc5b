import type { Tx } from '#server/db/tx.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { record } from '#server/modules/journal/index.ts';

/** Requests a verification of everything. If one is in progress, no other is started. */
export function requestVerification(tx: Tx, by: CommandContext): void {
  record(tx, by, 'books.verification_requested', { id: null });
  enqueueJob(tx, { name: 'verify-books', payload: {} });
}
