import { sql } from 'kysely';
import { payslipId } from '#contract/account-documents.ts';
import type { AdminQuestion, Question } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { questionCan } from '#contract/questions.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';

/** Questions with the names of the people who asked and answered, and the payroll line they are about. */
export function selectRows(reader: Reader) {
  return reader
    .selectFrom('question')
    .innerJoin('appUser as owner', 'owner.id', 'question.userId')
    .leftJoin('appUser as answerer', 'answerer.id', 'question.answeredBy')
    .leftJoin('payrollLine as line', (join) =>
      join
        .onRef('line.userId', '=', 'question.userId')
        .onRef('line.ledgerTransactionId', '=', 'question.transactionId'),
    )
    .select([
      'question.id',
      'question.userId',
      'question.eventId',
      'question.reference',
      'question.description',
      'question.transactionId',
      'question.question',
      'question.askedAt',
      'question.findingCheck',
      'question.findingBlock',
      'question.findingRoot',
      'question.answer',
      'question.answeredAt',
      'owner.name as ownerName',
      'owner.employeeNumber as ownerEmployeeNumber',
      'answerer.name as answererName',
      'line.id as lineId',
    ]);
}

export type QuestionRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];

/** Loads questions by id, in any order. */
export function readRows(reader: Reader, ids: readonly string[]) {
  return selectRows(reader)
    .modifyFront(prepared)
    .where(sql<boolean>`question.id = ANY (${ids}::uuid[])`)
    .execute();
}

export function presentQuestion(row: QuestionRow): Question {
  const { answer, answeredAt, answererName } = row;
  return {
    id: row.id,
    status: answer === null ? 'waiting' : 'answered',
    question: row.question,
    askedAt: row.askedAt.toISOString(),
    finding: presentFinding(row),
    answer:
      answer === null || answeredAt === null
        ? null
        : { text: answer, by: answererName ?? '', at: answeredAt.toISOString() },
  };
}

function presentFinding({
  findingCheck,
  findingBlock,
  findingRoot,
}: QuestionRow): Question['finding'] {
  if (findingCheck === null) return null;
  return { check: findingCheck, block: findingBlock?.toString() ?? null, root: findingRoot };
}

/** Refusal of an answer by a person; null if they may answer. */
export function refusalToAnswer(row: QuestionRow, actorId: string): AppError | null {
  if (row.userId === actorId) return new AppError('own_request');
  const isAsked = can(questionCan, 'answer', presentQuestion(row).status);
  return isAsked ? null : new AppError('question_answered');
}

/** @param readerId administrator who reads it */
export function presentAdminQuestion(row: QuestionRow, readerId: string): AdminQuestion {
  return {
    ...presentQuestion(row),
    employee: { id: row.userId, name: row.ownerName, employeeId: row.ownerEmployeeNumber },
    reference: row.reference,
    description: row.description,
    transactionId: row.transactionId,
    payslipId: row.lineId === null ? null : payslipId(row.lineId),
    refusal: refusalToAnswer(row, readerId)?.message ?? null,
  };
}
