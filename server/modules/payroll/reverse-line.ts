import type { PayrollLine, RouteArguments } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import { payrollLine } from '#contract/things/payroll-line.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { checkStatus } from '#server/modules/journal/index.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import {
  countAmount,
  isAlone,
  isInForce,
  readDuties,
  refusalOf,
  secondPersonNeeded,
  thresholdOf,
  usedFacts,
} from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { canTakeBack, leftOf, lockLines } from './lock-lines.ts';
import type { LockedLine } from './lock-lines.ts';
import { postReversals } from './post-reversals.ts';
import type { Part } from './post-reversals.ts';
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
 *   `recovery_open`, `reversal_unfunded` with what is available
 */
export async function reverseLine(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, amount, left, reason, message }: Input,
): Promise<PayrollLine> {
  const line = await lockReversible(tx, by, { id, left });
  const amountMinor = amountOf(line, amount);
  if (!canTakeBack(line, amountMinor)) throw new AppError('reversal_unfunded', availableIn(line));
  const parts = [{ line, amountMinor }];
  const used = await countTakenBack(tx, by, parts);
  await postReversals(tx, by, parts, { reason, message, used, at: clock.now() });
  const [row] = await readLines(tx, [id]);
  return presentLine(invariant(row, 'a line stays'), await findBatch(tx, line.batchId));
}

/**
 * Locks a line of which an admin may take back what is left, or ask for it.
 *
 * @param left amount of the line that was left when the admin looked
 * @throws {AppError} as `reverseLine`, but for what is about the amount
 */
export async function lockReversible(
  tx: Tx,
  by: CommandContext,
  { id, left }: Pick<Input, 'id' | 'left'>,
): Promise<LockedLine> {
  const [line] = await lockLines(tx, [id]);
  if (line === undefined) throw new AppError('payroll_line_not_found');
  if (line.userId === by.actor.id) throw new AppError('own_request');
  await checkStatus(tx, payrollLine, 'reverse', line);
  if (line.batchStatus !== 'completed') throw new AppError('payroll_not_completed');
  const second = await secondPersonRefusal(tx, by.actor.id, { ...line, leftMinor: leftOf(line) });
  if (second !== null) throw second;
  if (left.currency !== line.currency) throw new AppError('amount_invalid');
  if (BigInt(left.minor) !== leftOf(line)) throw new AppError('conflict');
  if (line.isRecovering) throw new AppError('recovery_open');
  return line;
}

/** An amount of a line in minor units. @throws {AppError} `amount_invalid` where less is left */
function amountOf(line: LockedLine, { minor, currency }: Money): bigint {
  const amountMinor = BigInt(minor);
  if (currency !== line.currency || amountMinor > leftOf(line))
    throw new AppError('amount_invalid');
  return amountMinor;
}

/**
 * The refusal to an admin who may not take back what is left of a payroll or a line; null where they may. Whatever its
 * sender took back of it before is no longer left, and is counted in what is left of the threshold (`countTakenBack`).
 * So a payroll that stays below the threshold is taken back to its end, in however many requests.
 */
export async function secondPersonRefusal(
  reader: Reader,
  actorId: string,
  {
    createdBy,
    leftMinor,
    userId,
  }: Pick<LockedLine, 'createdBy'> & { leftMinor: bigint; userId?: string },
): Promise<AppError | null> {
  const duties = await readDuties(reader);
  const refusal = refusalOf(duties, actorId, SENT_PAYROLL, {
    amountMinor: leftMinor,
    doneBy: [createdBy],
    ...(userId !== undefined && { notBy: userId }),
  });
  return refusal === null ? null : secondPersonNeeded(refusal, duties.settings.timeZone);
}

/**
 * Counts what the sender of a payroll takes back of it to what administrators did alone in this month (decision 061). The
 * lines are of one batch.
 *
 * @returns facts for the record of a reversal, by its amount
 * @throws {AppError} `conflict` where another act was faster and used the rest of the threshold
 */
export async function countTakenBack(
  tx: Tx,
  by: CommandContext,
  parts: readonly Part[],
): Promise<(amountMinor: bigint) => AuditDetails> {
  const [first] = parts;
  const duties = await readDuties(tx);
  const belowMinor = thresholdOf(duties.settings, 'payroll');
  const isCounted =
    first !== undefined &&
    isInForce(duties, 'payroll') &&
    isAlone(duties, by.actor.id, { doneBy: [first.line.createdBy] });
  if (!isCounted || belowMinor === null) return () => ({});
  const sum = parts.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const counted = await countAmount(tx, duties.settings, sum, [
    { name: 'payroll', subjectId: null, belowMinor },
  ]);
  if (counted.size === 0) throw new AppError('conflict');
  return (amountMinor) => usedFacts(amountMinor, counted);
}

export function availableIn({
  availableMinor,
  currency,
}: Pick<LockedLine, 'availableMinor' | 'currency'>): { available: string } {
  return { available: formatMoney(money(availableMinor, currency)) };
}
