import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { questionList } from '../lists.ts';
import { NUMBER_CHECKS, QUESTION_STATUSES, questionRules } from '../questions.ts';
import { person } from './common.ts';
import { id, idParams, instant, textOf } from './values.ts';
import { documentId } from './account-documents.ts';
import { defineRoute } from './define.ts';
import { eventId } from './history.ts';
import { listRoutes } from './list.ts';
import { place } from './proofs.ts';

/** A check of the person's browser that failed: the block that it failed at, and the root of that block. */
const finding = namedObject('ProofFinding', {
  check: namedEnum('ProofCheck', NUMBER_CHECKS),
  block: place.nullable(),
  root: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .nullable(),
});

const question = namedObject('Question', {
  id,
  status: namedEnum('QuestionStatus', QUESTION_STATUSES),
  question: z.string(),
  askedAt: instant,
  /** The failed check of a report; null for a question. */
  finding: finding.nullable(),
  /** Null while it waits. */
  answer: namedObject('QuestionAnswer', {
    text: z.string(),
    by: z.string(),
    at: instant,
  }).nullable(),
});

const adminQuestion = named(
  'AdminQuestion',
  question.extend({
    employee: person,
    /** Reference and description of the transaction or request that it is about. */
    reference: z.string(),
    description: z.string(),
    /** Its posting; null where there was none when it was asked. */
    transactionId: id.nullable(),
    /** The payslip that it is about; null for another transaction. */
    payslipId: documentId.nullable(),
    /** The sentence with which an answer of the reader would be refused now; null if it would not. */
    refusal: z.string().nullable(),
  }),
);

const eventParams = z.object({ id: eventId });

export const questionRoutes = {
  listQuestions: defineRoute('GET /api/history/events/{id}/questions', {
    summary: 'My questions about one of my transactions, with their answers, oldest first',
    access: 'employee',
    mayBeLate: true,
    topics: ['questions'],
    params: eventParams,
    reply: z.object({ questions: z.array(question) }),
    errors: ['transaction_not_found'],
  }),
  askQuestion: defineRoute('POST /api/history/events/{id}/questions', {
    summary:
      'Ask the administrators about one of my transactions, or report that the proof of its number failed',
    access: 'employee',
    hourly: 'questions',
    changes: { owner: ['questions'], admins: ['questions'] },
    params: eventParams,
    body: z.object({
      question: textOf(questionRules.question),
      finding: finding.nullable().default(null),
    }),
    reply: question,
    status: 201,
    errors: ['transaction_not_found', 'question_waiting'],
  }),
  getQuestion: defineRoute('GET /api/questions/{id}', {
    summary: 'One of my questions, with the transaction that it is about',
    access: 'employee',
    topics: ['questions'],
    params: idParams,
    reply: question.extend({ eventId }),
    errors: ['question_not_found'],
  }),
  ...listRoutes('/api/admin/questions', questionList, adminQuestion, {
    names: { status: 'QuestionStatusFilter' },
    summary: 'Questions of employees about their transactions; those that wait come first',
    access: 'admin',
    late: 'all',
    topics: ['questions'],
  }),
  adminGetQuestion: defineRoute('GET /api/admin/questions/{id}', {
    summary: 'One question of an employee',
    access: 'admin',
    topics: ['questions'],
    params: idParams,
    reply: adminQuestion,
    errors: ['question_not_found'],
  }),
  adminAnswerQuestion: defineRoute('POST /api/admin/questions/{id}/answer', {
    summary: 'Answer a question, once; the employee is notified',
    access: 'admin',
    changes: { owner: ['questions'], admins: ['questions'] },
    params: idParams,
    body: z.object({ answer: textOf(questionRules.answer) }),
    reply: adminQuestion,
    errors: ['question_not_found', 'question_answered', 'own_request'],
  }),
};
