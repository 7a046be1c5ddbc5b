import type { KycApplication } from '#contract/routes/kyc.ts';
import { application } from '#contract/things/application.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Words } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { enterAction } from '../application/history.ts';
import type { ActionWords, ApplicationRow } from '../application/history.ts';
import { presentApplication } from '../application/present.ts';

/** Input of the four commands of the review desk: the application, as the admin saw it. */
export interface DecisionTarget {
  applicationId: string;
  version: number;
}

interface Decision {
  act: 'moveToReview' | 'approve' | 'reject' | 'requestResubmission';
  /** Kept in the application's history; the notes of a rejection are its reason. */
  written: ActionWords;
  /** Words of the notification: never the written ones, which would outlive what they are about. */
  words?: Words;
}

/** Carries out a decision on an application that is locked and checked. */
export async function decide(
  tx: Tx,
  services: Services,
  by: CommandContext,
  row: ApplicationRow,
  { act, written, words = {} }: Decision,
): Promise<KycApplication> {
  const { to, past } = application.acts[act];
  const isFinal = act === 'approve' || act === 'reject';
  const now = services.clock.now();
  const decided = await tx
    .updateTable('kycApplication')
    .set({
      ...(isFinal && { decidedBy: by.actor.id, decidedAt: now }),
      status: to,
      version: row.version + 1,
      updatedAt: now,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await enterAction(tx, services, by, decided, { action: past, written });
  journal(tx, by, application, act, {
    id: row.id,
    userId: row.userId,
    at: now,
    details: {},
    words,
  });
  return presentApplication(tx, services.vault, decided);
}
