import type { RouteArguments, UsualPay } from '#contract/api.ts';
import { usualPayChange } from '#contract/things/usual-pay-change.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readThreshold } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { detailsOf, insertChanges } from './change.ts';
import type { ChangedLine } from './change.ts';
import { readUsualPay } from './queries.ts';
import {
  changedLines,
  comparedMinor,
  problemOfDay,
  refusalOfLine,
  refusalOfPerson,
} from './rules.ts';
import { readPerson } from './usual-pay.ts';
import type { PersonOnDay } from './usual-pay.ts';

type Order = RouteArguments<'adminChangeUsualPay'>['body'];

/**
 * Changes what a person is usually paid, from a payday on. Lines that stay as they are add nothing. Where the change,
 * with what one person alone changed for them in the last 30 days, reaches the company's setting, it waits for a second
 * administrator and the former amounts count until then.
 *
 * @throws {AppError} `own_request`, `person_not_found`, `usual_pay_not_paid`, `usual_pay_waiting`, `invalid_request`
 *   for a day that is over or no payday, `amount_invalid`, `payroll_line_limit`, `usual_pay_changed` where an amount is
 *   another than was seen, `usual_pay_same`, `usual_pay_no_wallet`
 */
export async function changeUsualPay(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id: userId, validFrom, reason, lines: ordered }: Order & { id: string },
): Promise<UsualPay> {
  await lockUser(tx, userId);
  const settings = await readSettings(tx);
  const now = services.clock.now();
  const person = await readPerson(tx, { userId, validFrom }, now);
  const refusal = refusalOfPerson(person, by.actor.id);
  if (refusal !== null) throw refusal;
  checkDay(settings, validFrom, now);
  const lines = checkLines(ordered, person, settings);

  const compared = comparedMinor(lines, person);
  const leastMinor = await readThreshold(tx, settings, 'usualPay');
  const needsSecond = leastMinor !== null && compared >= leastMinor;
  const id = newId(now.getTime());
  const facts = {
    validFrom,
    reason,
    currency: settings.currency,
    comparedMinor: compared,
    needsSecond,
  };
  const change = { ...facts, id, userId, createdBy: by.actor.id, confirmedBy: null, lines };
  await insertChanges(tx, [change], now);
  journal(tx, by, usualPayChange, needsSecond ? 'propose' : 'set', {
    id,
    userId,
    at: now,
    relatedId: userId,
    details: detailsOf({ ...facts, lines }),
    words: { name: person.name, day: writeDay(validFrom) },
  });
  return readUsualPay(tx, services, by.actor, userId);
}

/** @throws {AppError} `invalid_request` */
function checkDay(settings: CompanySettings, validFrom: string, now: Date): void {
  const message = problemOfDay(settings, validFrom, now);
  if (message === undefined) return;
  throw new AppError('invalid_request', {}, [{ path: 'validFrom', message }]);
}

/**
 * The lines that change an amount of that day.
 *
 * @throws {AppError} `amount_invalid`, `usual_pay_changed`, `usual_pay_same`, `payroll_line_limit`, `usual_pay_no_wallet`
 */
function checkLines(
  ordered: Order['lines'],
  person: PersonOnDay,
  settings: CompanySettings,
): ChangedLine[] {
  for (const { walletType, before, amount } of ordered) {
    if (before.currency !== settings.currency || amount.currency !== settings.currency) {
      throw new AppError('amount_invalid');
    }
    if (before.minor !== (person.valid[walletType]?.minor ?? '0')) {
      throw new AppError('usual_pay_changed');
    }
  }
  const lines = changedLines(
    ordered.map(({ walletType, amount }) => ({ walletType, amountMinor: BigInt(amount.minor) })),
    person,
  );
  if (lines.length === 0) throw new AppError('usual_pay_same');
  for (const line of lines) {
    const refusal = refusalOfLine(line, person, settings);
    if (refusal !== null) throw refusal;
  }
  return lines;
}
