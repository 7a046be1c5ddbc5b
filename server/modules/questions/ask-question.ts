import type { Question } from '#contract/api.ts';
import { isUniqueViolation } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { getHistoryEvent, historyScope } from '#server/modules/history/index.ts';
import { record } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { presentQuestion, selectRows } from './rows.ts';

interface Asked {
  /** Row of the person's history. */
  eventId: string;
  question: string;
  finding?: Question['finding'];
}

/**
 * Asks the admins about one of the actor's transactions or requests, or reports that the proof of
 * its number failed.
 *
 * @throws {AppError} `transaction_not_found`, `question_waiting` while a question of the same kind
 *   about it has no answer
 */
export async function askQuestion(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { eventId, question, finding = null }: Asked,
): Promise<Question> {
  const now = clock.now();
  const userId = by.actor.id;
  const scope = await historyScope(tx, userId, await readSettings(tx));
  const event = await getHistoryEvent(tx, scope, eventId);
  const { reference, description } = event;
  const transactionId = event.balanceAfter === null ? null : event.transactionId;
  const id = newId(now.getTime());
  await tx
    .insertInto('question')
    .values({
      id,
      userId,
      eventId,
      reference,
      description,
      transactionId,
      question,
      askedAt: now,
      findingCheck: finding?.check ?? null,
      findingBlock: finding?.block == null ? null : BigInt(finding.block),
      findingRoot: finding?.root ?? null,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'question_waiting_once')
        ? new AppError('question_waiting')
        : error;
    });
  record(tx, by, 'question.asked', {
    id,
    personId: userId,
    at: now,
    details: { reference, ...(finding !== null && { finding: finding.check }) },
    words: { reference, question, asks: finding === null ? 'asks about' : 'reports' },
  });
  return presentQuestion(
    await selectRows(tx).where('question.id', '=', id).executeTakeFirstOrThrow(),
  );
}
