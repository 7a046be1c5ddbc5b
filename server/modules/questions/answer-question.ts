import type { AdminQuestion } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { presentAdminQuestion, refusalToAnswer, selectRows } from './rows.ts';

/**
 * Answers a question of an employee, who is notified. A question has one answer.
 *
 * @throws {AppError} `question_not_found`, `own_request`, `question_answered`
 */
export async function answerQuestion(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, answer }: { id: string; answer: string },
): Promise<AdminQuestion> {
  const row = await selectRows(tx)
    .where('question.id', '=', id)
    .forNoKeyUpdate('question')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('question_not_found');
  const refusal = refusalToAnswer(row, by.actor.id);
  if (refusal !== null) throw refusal;
  const at = clock.now();
  await tx
    .updateTable('question')
    .set({ answer, answeredBy: by.actor.id, answeredAt: at })
    .where('id', '=', id)
    .execute();
  const { reference, userId } = row;
  record(tx, by, 'question.answered', {
    id,
    personId: userId,
    at,
    details: { reference },
    words: { reference, answer },
  });
  return presentAdminQuestion(
    await selectRows(tx).where('question.id', '=', id).executeTakeFirstOrThrow(),
    by.actor.id,
  );
}
