import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ErrorCode, ErrorDetails } from '#contract/errors.ts';
import { AppError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { payableFromWords } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

type Rules = Pick<CompanySettings, 'payoutsStoppedAt' | 'timeZone'>;

interface Leaving {
  /** Time at which its owner's payouts were frozen. */
  frozenAt: Date | null;
  /** Time from which it can leave after a change of its destination or of the owner's password. */
  payableFrom: Date | null;
  now: Date;
}

/**
 * The reason why money of a person may not leave now; null if it may. There is one rule for withdrawals, bills and
 * payments between people. Money stays while the books are not sound, while its owner's payouts are frozen, and
 * while somebody else than its owner may have asked.
 */
export function whyMayNotLeave(
  settings: Rules,
  { frozenAt, payableFrom, now }: Leaving,
): { why: 'stopped' | 'frozen' | 'cooling'; details?: ErrorDetails } | null {
  if (settings.payoutsStoppedAt !== null) return { why: 'stopped' };
  if (frozenAt !== null) return { why: 'frozen' };
  const until = payableFromWords(payableFrom, { timeZone: settings.timeZone, now });
  return until === null ? null : { why: 'cooling', details: { until } };
}

const REFUSALS = {
  stopped: 'payouts_stopped',
  frozen: 'payouts_frozen',
  cooling: 'payout_cooling_off',
} as const satisfies Record<string, ErrorCode>;

/** The refusal of an act by which an admin lets money leave, also if the bank sent money back from its destination. */
export function refusalToLeave(
  settings: Rules,
  { returned, ...leaving }: Leaving & { returned: ErrorCode | null },
): AppError | null {
  const refusal = whyMayNotLeave(settings, leaving);
  // Confirming it begins a new cooling-off: to name this one would be wrong.
  if (returned !== null && (refusal === null || refusal.why === 'cooling')) {
    return new AppError(returned);
  }
  return refusal && new AppError(REFUSALS[refusal.why], refusal.details);
}

/**
 * SQL of the number of the payout file that a request is in and that is not settled; null if it is in none. Only the file
 * pays it then. Cancelling one that was not sent frees it.
 */
export function inPayoutFile(
  column: 'withdrawal_id' | 'bill_id',
  id: string,
): RawBuilder<number | null> {
  return sql.raw(`(
    SELECT file.number FROM payout_file_item AS item JOIN payout_file AS file ON file.id = item.file_id
     WHERE item.${column} = ${id} AND item.is_live
       AND (file.status <> 'settled' OR file.unposted_after IS NOT NULL))`);
}

/** The refusal to pay or stop by hand what a file will pay: `payout_in_file`, or `payout_sent_in_file` once it was sent. */
export function refusalInFile(
  number: number | null,
  code: 'payout_in_file' | 'payout_sent_in_file' = 'payout_in_file',
): AppError | null {
  return number === null ? null : new AppError(code, { number: fileNumber(number) });
}
