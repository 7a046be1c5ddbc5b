import { addDays, dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import { USUAL_PAY_PAYDAYS, usualPayDifference } from '#contract/usual-pay.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { paydaysAfter } from '#server/lib/calendar.ts';
import { AppError } from '#server/lib/errors.ts';
import { writeDay } from '#server/lib/write-day.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { ChangedLine } from './change.ts';
import type { PersonOnDay } from './usual-pay.ts';

/** Paydays that a change can begin with: today's and later ones. None without a schedule, when every day can. */
export function paydaysToBegin(settings: CompanySettings, now: Date): string[] {
  const yesterday = addDays(dayIn(settings.timeZone, now), -1);
  return paydaysAfter(settings, yesterday, USUAL_PAY_PAYDAYS).map(({ on }) => on);
}

/** `problemOfDay` for the rows of a file, which have a few days: each is looked up once. */
export function dayProblems(
  settings: CompanySettings,
  now: Date,
): (validFrom: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (validFrom) => {
    if (!known.has(validFrom)) known.set(validFrom, problemOfDay(settings, validFrom, now));
    return known.get(validFrom);
  };
}

/** Reason why a change cannot begin on a day; undefined if it can. */
export function problemOfDay(
  settings: CompanySettings,
  validFrom: string,
  now: Date,
): string | undefined {
  const today = dayIn(settings.timeZone, now);
  if (validFrom < today) return 'This day is over';
  if (validFrom > addDays(today, 7 * USUAL_PAY_PAYDAYS)) return 'Choose a day within a year';
  if (settings.schedule === null || paydaysToBegin(settings, now).includes(validFrom)) {
    return undefined;
  }
  const [next] = paydaysAfter(settings, validFrom, 1);
  return `Not a payday${next === undefined ? '' : `. The next one after it is ${writeDay(next.on)}`}`;
}

/** Refusal of any change for a person; null where their usual pay may be changed by this administrator. */
export function refusalOfPerson(
  { id, isPaid, waits }: Pick<PersonOnDay, 'id' | 'isPaid' | 'waits'>,
  actorId: string,
): AppError | null {
  if (id === actorId) return new AppError('own_request');
  if (!isPaid) return new AppError('usual_pay_not_paid');
  return waits ? new AppError('usual_pay_waiting') : null;
}

/** The lines that change an amount of the day, of those that were ordered. */
export function changedLines(
  ordered: readonly Omit<ChangedLine, 'beforeMinor'>[],
  { valid }: Pick<PersonOnDay, 'valid'>,
): ChangedLine[] {
  return ordered
    .map(({ walletType, amountMinor }) => ({
      walletType,
      amountMinor,
      beforeMinor: BigInt(valid[walletType]?.minor ?? 0),
    }))
    .filter(({ beforeMinor, amountMinor }) => beforeMinor !== amountMinor);
}

/** Refusal of a changed line; null where the amount is within the limit and for an open account, or none is paid. */
export function refusalOfLine(
  { walletType, amountMinor }: Pick<ChangedLine, 'walletType' | 'amountMinor'>,
  { open }: Pick<PersonOnDay, 'open'>,
  { payrollLineLimitMinor, currency }: CompanySettings,
): AppError | null {
  if (amountMinor > payrollLineLimitMinor) {
    const limit = formatMoney(money(payrollLineLimitMinor, currency));
    return new AppError('payroll_line_limit', { limit });
  }
  if (amountMinor === 0n || open.includes(walletType)) return null;
  return new AppError('usual_pay_no_wallet', { wallet: WALLET_LABELS[walletType] });
}

/** Difference that the company's setting is compared with: of the change, and of what one person changed recently. */
export function comparedMinor(
  lines: readonly ChangedLine[],
  { aloneMinor }: Pick<PersonOnDay, 'aloneMinor'>,
): bigint {
  return usualPayDifference(lines) + aloneMinor;
}
