import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { MAX_REVERSED_LINES } from '#contract/payroll.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { canTakeBack, leftOf, lockLines } from './lock-lines.ts';
import { postReversals } from './post-reversals.ts';
import type { Part } from './post-reversals.ts';
import { findBatch, getPayrollBatch } from './queries.ts';
import { countTakenBack, secondPersonRefusal } from './reverse-line.ts';
import { readLines } from './rows.ts';
import { lineReference } from './rules.ts';

type Input = RouteArguments<'adminReversePayroll'>['body'] & { id: string };
type Reply = RouteReply<'adminReversePayroll'>;

/**
 * Takes the next lines of a payroll back as a whole, each with what is left of it, and answers those that have less,
 * are recovered by an agreement, or are the caller's own. Asked again with `next` until that is null. A line that was taken back is not among the next
 * ones, so asking twice takes nothing twice.
 *
 * @throws {AppError} `payroll_not_found`, `payroll_not_completed`, `second_person_needed`
 */
export async function reverseBatch(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, after, reason, message }: Input,
): Promise<Reply> {
  const { createdBy, paidMinor, reversedMinor, currency, status } = await findBatch(tx, id);
  if (status !== 'completed') throw new AppError('payroll_not_completed');
  const leftMinor = paidMinor - reversedMinor;
  const second = await secondPersonRefusal(tx, by.actor.id, { createdBy, leftMinor });
  if (second !== null) throw second;
  const { rows: next } = await sql<{ id: string }>`
    SELECT id FROM payroll_line
     WHERE batch_id = ${id} AND line_number > ${after} AND status = 'processed'
     ORDER BY line_number LIMIT ${MAX_REVERSED_LINES}`.execute(tx);
  const lines = await lockLines(
    tx,
    next.map((line) => line.id),
  );
  if (lines.some(({ batchStatus }) => batchStatus !== 'completed')) {
    throw new AppError('payroll_not_completed');
  }
  const paid = lines
    .filter((line) => line.status === 'processed' && leftOf(line) > 0n)
    .map((line) => ({ line, amountMinor: leftOf(line) }));
  const [parts, kept] = split(paid, by.actor.id);
  const used = await countTakenBack(tx, by, parts);
  await postReversals(tx, by, parts, { reason, message, used, at: clock.now() });
  const people = await readLines(
    tx,
    kept.map(({ line }) => line.id),
  );
  return {
    batch: await getPayrollBatch(tx, id, by.actor.id),
    count: parts.length,
    total: money(
      parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      currency,
    ),
    kept: kept.map(({ line, amountMinor }) => {
      const person = invariant(
        people.find((one) => one.id === line.id),
        'a line stays',
      );
      return {
        employee: { id: line.userId, name: person.personName, employeeId: person.employeeNumber },
        reference: lineReference(line, line.lineNumber),
        left: money(amountMinor, currency),
        available: money(line.availableMinor, currency),
        isOwn: line.userId === by.actor.id,
      };
    }),
    next: next.length < MAX_REVERSED_LINES ? null : (lines.at(-1)?.lineNumber ?? null),
  };
}

/** The lines that can be taken back by this admin, and the others. */
function split(paid: readonly Part[], actorId: string): [Part[], Part[]] {
  const isPossible = ({ line, amountMinor }: Part) =>
    line.userId !== actorId && !line.isRecovering && canTakeBack(line, amountMinor);
  return [paid.filter(isPossible), paid.filter((part) => !isPossible(part))];
}
