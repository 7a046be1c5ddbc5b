import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { addBankingDays } from '#contract/banking-days.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { readOpenLines } from '#server/modules/company-bank/index.ts';
import { readHead } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { unsoundRuns } from '#server/modules/verification/index.ts';
import type { Services } from '#server/services.ts';

type Page = RouteReply<'getBooksPage'>;
type State = Page['seals']['state'];

/** Checks of seals and of the bank by the begin of their names; the others are about entries and requests. */
const SEAL_CHECKS = /^(?:sealed-|block-|audit-|account-sealed|exported-root|transaction-sealed)/;
const BANK_CHECKS = /^bank-(?:statement|start|line|item)/;

/** Facts of the page that everyone in the company sees: no amounts of anybody, and no totals. */
export async function getBooksPage(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
): Promise<Page> {
  const checkedAt = await lastCheck(reader);
  const failed = await failedChecks(reader);
  const stateOf = (isOne: (check: string) => boolean): State => {
    if (failed.some(isOne)) return 'differs';
    return checkedAt === null ? 'unchecked' : 'kept';
  };
  const { rows } = await sql<{ entries: bigint }>`
    SELECT coalesce(sum(version), 0)::bigint AS entries FROM ledger_account`.execute(reader);
  const head = await readHead(reader);
  return {
    checkedAt: checkedAt?.toISOString() ?? null,
    sides: {
      state: stateOf((check) => !SEAL_CHECKS.test(check) && !BANK_CHECKS.test(check)),
      entries: Number(rows[0]?.entries ?? 0n),
    },
    seals: { state: stateOf((check) => SEAL_CHECKS.test(check)) },
    newest:
      head === undefined
        ? null
        : { ...head, height: head.height.toString(), sealedAt: head.sealedAt.toISOString() },
    bank: await readBank(
      reader,
      clock.now(),
      stateOf((check) => BANK_CHECKS.test(check)),
    ),
  };
}

/**
 * A line may stay without a match for one banking day: statements come in the morning, and people match them by the next
 * day's. The day of its import counts, since nobody could match it before.
 */
async function readBank(reader: Reader, now: Date, state: State): Promise<Page['bank']> {
  const { timeZone, currency } = await readSettings(reader);
  const { statements, count, minor, since } = await readOpenLines(reader, currency);
  if (statements === 0) return null;
  const isLate =
    since !== null && dayIn(timeZone, now) > addBankingDays(dayIn(timeZone, since), 1, currency);
  return {
    state,
    openLines: count,
    difference: money(minor, currency),
    isLate,
    agreedAt: count === 0 ? null : await lastAgreed(reader),
    at: now.toISOString(),
  };
}

/** The last time after which no line was without a match, until one was imported or taken back. */
async function lastAgreed(reader: Reader): Promise<string | null> {
  const { rows } = await sql<{ at: Date }>`
    SELECT at FROM (
      SELECT at, sum(sum(change)) OVER (ORDER BY at) AS open
        FROM (SELECT imported_at AS at, 1 AS change
                FROM bank_line JOIN bank_statement AS statement ON statement.id = statement_id
               UNION ALL
              SELECT made_at, -1 FROM (SELECT DISTINCT line_id, made_at FROM bank_match) AS made
               UNION ALL
              SELECT undone_at, 1
                FROM (SELECT DISTINCT line_id, undone_at FROM bank_match WHERE undone_at IS NOT NULL) AS undone
             ) AS changed
       GROUP BY at) AS moment
     WHERE open = 0 ORDER BY at DESC LIMIT 1`.execute(reader);
  return rows[0]?.at.toISOString() ?? null;
}

async function lastCheck(reader: Reader): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    SELECT finished_at AS at FROM verification_run
     WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1`.execute(reader);
  return rows[0]?.at ?? null;
}

/** Names of the checks that found something, while the books are not sound. */
async function failedChecks(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ check: string }>`
    SELECT DISTINCT problem ->> 'check' AS "check"
      FROM (${unsoundRuns}) AS unsound CROSS JOIN jsonb_array_elements(unsound.problems) AS problem`.execute(
    reader,
  );
  return rows.map(({ check }) => check);
}
