import type { Recovery, RouteArguments } from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import { payrollsOf, RECOVERY_ANSWER_DAYS, RECOVERY_PAYROLLS } from '#contract/recovery.ts';
import { recovery } from '#contract/things/recovery.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { readPerson } from '#server/modules/usual-pay/index.ts';
import type { Services } from '#server/services.ts';
import { leftOf } from '../lock-lines.ts';
import type { LockedLine } from '../lock-lines.ts';
import { availableIn, countTakenBack, lockReversible } from '../reverse-line.ts';
import { postReversals } from '../post-reversals.ts';
import { payOf } from './take-instalments.ts';
import { readRecoveries, refusalToPropose } from './read-recoveries.ts';

type Input = RouteArguments<'adminProposeRecovery'>['body'] & { id: string };

/**
 * Takes back what the wallet has of a paid line, and proposes to its employee that the rest is taken from later payrolls.
 * Nothing more is taken before they accept.
 *
 * @param input.now amount taken back now; null where the wallet has nothing
 * @param input.left amount of the line that was left when the caller looked
 * @throws {AppError} as `lockReversible`; `reversal_unfunded` with what is available, `amount_invalid` for an amount in
 *   another currency, for all that is left, and for an instalment above the rest, `recovery_terms`, `usual_pay_not_paid`
 *   for a person whom payroll does not pay
 */
export async function proposeRecovery(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id: lineId, now: takenNow, left, instalment, reason, message, ...terms }: Input,
): Promise<Recovery> {
  const line = await lockReversible(tx, by, { id: lineId, left });
  const { currency } = line;
  const nowMinor = BigInt(takenNow?.minor ?? 0);
  const amountMinor = leftOf(line) - nowMinor;
  const instalmentMinor = BigInt(instalment.minor);
  const isOfCurrency = [takenNow ?? instalment, instalment].every(
    (one) => one.currency === currency,
  );
  if (!isOfCurrency || amountMinor <= 0n || instalmentMinor > amountMinor) {
    throw new AppError('amount_invalid');
  }
  if (nowMinor > line.availableMinor) throw new AppError('reversal_unfunded', availableIn(line));
  const at = services.clock.now();
  const { name } = await checkTerms(tx, line, { ...terms, amountMinor, instalmentMinor }, at);
  if (nowMinor > 0n) {
    const parts = [{ line, amountMinor: nowMinor }];
    const used = await countTakenBack(tx, by, parts);
    await postReversals(tx, by, parts, { reason, message, used, at });
  }
  const id = newId(at.getTime());
  await tx
    .insertInto('recovery')
    .values({
      id,
      lineId,
      userId: line.userId,
      walletType: line.walletType,
      currency,
      status: 'proposed',
      amountMinor,
      instalmentMinor,
      ...terms,
      reason,
      message,
      createdBy: by.actor.id,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  journal(tx, by, recovery, 'propose', {
    id,
    userId: line.userId,
    at,
    details: {
      lineId,
      walletType: line.walletType,
      currency,
      reason,
      ...terms,
      amountMinor: amountMinor.toString(),
      instalmentMinor: instalmentMinor.toString(),
    },
    words: {
      name,
      message,
      ...payOf(line),
      amount: formatMoney(money(amountMinor, currency)),
      instalment: formatMoney(money(instalmentMinor, currency)),
      start: writeDay(terms.startsOn),
      day: writeDay(terms.answerBy),
    },
  });
  const [proposed] = await readRecoveries(tx, services, { actor: by.actor, as: 'admin' }, { id });
  return invariant(proposed, 'a recovery stays');
}

/** @throws {AppError} `recovery_terms`, `usual_pay_not_paid` */
async function checkTerms(
  tx: Tx,
  { userId }: LockedLine,
  {
    startsOn,
    answerBy,
    amountMinor,
    instalmentMinor,
  }: Pick<Input, 'startsOn' | 'answerBy'> & { amountMinor: bigint; instalmentMinor: bigint },
  now: Date,
) {
  const { timeZone } = await readSettings(tx);
  const today = dayIn(timeZone, now);
  const { most } = RECOVERY_ANSWER_DAYS;
  const isInTime = answerBy >= today && answerBy <= addDays(today, most) && startsOn >= today;
  if (!isInTime || payrollsOf(amountMinor, instalmentMinor) > RECOVERY_PAYROLLS) {
    throw new AppError('recovery_terms', { days: most, payrolls: RECOVERY_PAYROLLS });
  }
  const person = await readPerson(tx, { userId, validFrom: today }, now);
  const refusal = refusalToPropose(person);
  if (refusal !== null) throw refusal;
  return person;
}
