import type { AdminQuestion, RouteReply } from '#contract/api.ts';
import type { Db } from '#server/db/tx.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import { eventIdsOf, getHistoryEvent, historyScope } from '#server/modules/history/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { adminQuestions } from './admin-list.ts';
import { answerQuestion } from './answer-question.ts';
import { askQuestion } from './ask-question.ts';
import { presentAdminQuestion, presentQuestion, selectRows } from './rows.ts';

type Names =
  | 'listQuestions'
  | 'askQuestion'
  | 'getQuestion'
  | 'adminListQuestions'
  | 'adminCountQuestions'
  | 'adminGetQuestion'
  | 'adminAnswerQuestion';

export function questionHandlers(services: Services): Pick<Handlers, Names> {
  return {
    listQuestions: query((db, { actor }, { params }) => listQuestions(db, actor.id, params.id)),
    askQuestion: command((tx, by, { params, body }) =>
      askQuestion(tx, services, by, { eventId: params.id, ...body }),
    ),
    getQuestion: query((db, { actor }, { params }) => getOwnQuestion(db, actor.id, params.id)),
    ...listHandlers(adminQuestions, (_db, { actor }) => actor.id),
    adminGetQuestion: query((db, { actor }, { params }) =>
      getAdminQuestion(db, actor.id, params.id),
    ),
    adminAnswerQuestion: command((tx, by, { params, body }) =>
      answerQuestion(tx, services, by, { id: params.id, answer: body.answer }),
    ),
  };
}

/** Maximum number of questions shown about one transaction. */
const MOST_SHOWN = 20;

/** @throws {AppError} `transaction_not_found` for an event that is not in the person's history */
async function listQuestions(
  db: Db,
  userId: string,
  eventId: string,
): Promise<RouteReply<'listQuestions'>> {
  await getHistoryEvent(db, await historyScope(db, userId, await readSettings(db)), eventId);
  const rows = await selectRows(db)
    .where('question.userId', '=', userId)
    .where('question.eventId', 'in', await eventIdsOf(db, eventId))
    .orderBy('question.askedAt', 'desc')
    .orderBy('question.id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return { questions: rows.toReversed().map(presentQuestion) };
}

/** @throws {AppError} `question_not_found`, also for a question of another person */
async function getOwnQuestion(
  db: Db,
  userId: string,
  id: string,
): Promise<RouteReply<'getQuestion'>> {
  const row = await selectRows(db)
    .select('question.eventId')
    .where('question.id', '=', id)
    .where('question.userId', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('question_not_found');
  const present = (await eventIdsOf(db, row.eventId)).at(-1);
  return { ...presentQuestion(row), eventId: invariant(present, 'a row of a history has an id') };
}

/** @throws {AppError} `question_not_found` */
async function getAdminQuestion(db: Db, readerId: string, id: string): Promise<AdminQuestion> {
  const row = await selectRows(db).where('question.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('question_not_found');
  return presentAdminQuestion(row, readerId);
}
