import { sql } from 'kysely';
import { questionList } from '#contract/lists.ts';
import { ascending, descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { presentAdminQuestion, readRows } from './rows.ts';
import type { QuestionRow } from './rows.ts';

const ASKED = [key(sql`question.asked_at`, 'instant'), key(sql`question.id`, 'uuid')] as const;
const WAITING = sql<boolean>`question.answered_at IS NULL`;
const ANSWERED = sql<boolean>`question.answered_at IS NOT NULL`;

/** Questions of everyone: waiting ones first, oldest first; then answered ones, newest first. */
export const adminQuestions = readsList(questionList, {
  from: () => [sql`question`],
  id: sql`question.id`,
  where: {
    person: (id) => sql`question.user_id = ${id}`,
    status: (status) => (status === 'waiting' ? WAITING : ANSWERED),
  },
  search: { person: 'question.user_id' },
  segments: ({ status }) => [
    ...(status === 'answered' ? [] : [{ where: WAITING, order: ascending(...ASKED) }]),
    ...(status === 'waiting' ? [] : [{ where: ANSWERED, order: descending(...ASKED) }]),
  ],
  rows: readRows,
  present: (row: QuestionRow, readerId: string) => presentAdminQuestion(row, readerId),
});
