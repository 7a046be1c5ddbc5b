import type { PayrollLine, RouteArguments } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { payrollLine } from '#contract/things/payroll-line.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { checkStatus } from '#server/modules/journal/index.ts';
import { readDuties, refusalOf, secondPersonNeeded } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { lockLines } from './lock-lines.ts';
import type { LockedLine } from './lock-lines.ts';
import { postReversals } from './post-reversals.ts';
import { presentLine } from './present.ts';
import { findBatch } from './queries.ts';
import { readLines } from './rows.ts';

type Input = RouteArguments<'adminReversePayrollLine'>['body'] & { id: string };

/** The sender of a payroll does not take it back. */
const [SENT_PAYROLL] = payrollLine.acts.reverse.secondPerson;

/**
 * Takes a paid line, or a part of it, back from the employee's wallet.
 *
 * @param input.left amount of the line that was left when the caller looked
 * @throws {AppError} `payroll_line_not_found`, `own_request`, `payroll_line_wrong_status`, `payroll_not_completed`,
 *   `second_person_needed`, `conflict` where another amount is left, `amount_invalid` where it is less,
 *   `reversal_unfunded` with what is available
 */
export async function reverseLine(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, amount, left, reason, message }: Input,
): Promise<PayrollLine> {
  const [line] = await lockLines(tx, [id]);
  if (line === undefined) throw new AppError('payroll_line_not_found');
  if (line.userId === by.actor.id) throw new AppError('own_request');
  await checkStatus(tx, payrollLine, 'reverse', line);
  if (line.batchStatus !== 'completed') throw new AppError('payroll_not_completed');
  const second = await secondPersonRefusal(tx, by.actor.id, line);
  if (second !== null) throw second;
  const amountMinor = BigInt(amount.minor);
  const leftMinor = line.amountMinor - line.reversedMinor;
  if (amount.currency !== line.currency || left.currency !== line.currency) {
    throw new AppError('amount_invalid');
  }
  if (BigInt(left.minor) !== leftMinor) throw new AppError('conflict');
  if (amountMinor > leftMinor) throw new AppError('amount_invalid');
  if (amountMinor > line.availableMinor) throw new AppError('reversal_unfunded', availableIn(line));
  await postReversals(tx, by, [{ line, amountMinor }], { reason, message, at: clock.now() });
  const [row] = await readLines(tx, [id]);
  return presentLine(invariant(row, 'a line stays'), await findBatch(tx, line.batchId));
}

/** The refusal to an admin who may not take back that much of a payroll; null where they may. */
export async function secondPersonRefusal(
  reader: Reader,
  actorId: string,
  {
    createdBy,
    amountMinor,
    userId,
  }: Pick<LockedLine, 'createdBy' | 'amountMinor'> & { userId?: string },
): Promise<AppError | null> {
  const duties = await readDuties(reader);
  const refusal = refusalOf(duties, actorId, SENT_PAYROLL, {
    amountMinor,
    doneBy: [createdBy],
    ...(userId !== undefined && { notBy: userId }),
  });
  return refusal === null ? null : secondPersonNeeded(refusal, duties.settings.timeZone);
}

function availableIn({
  availableMinor,
  currency,
}: Pick<LockedLine, 'availableMinor' | 'currency'>): { available: string } {
  return { available: formatMoney(money(availableMinor, currency)) };
}
