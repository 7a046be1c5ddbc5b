import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments } from '#contract/api.ts';
import type { AMOUNT_SOURCES } from '#contract/payroll.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { usualPay } from '#server/modules/usual-pay/index.ts';
import { findLastPayroll, paidByLast } from '../last-payroll.ts';
import type { Compared } from '../last-payroll.ts';

type Source = NonNullable<RouteArguments<'adminCreatePayrollDraft'>['body']['startFrom']>;

/** Usual pay is that of the day of the order. */
interface Filled extends Compared {
  id: string;
  startFrom: Source;
}

/** Fills in the amounts of a draft from usual pay or the last payroll, as `putAmounts`. */
export async function fillIn(
  tx: Tx,
  settings: CompanySettings,
  { id, ...filled }: Filled,
): Promise<void> {
  const amounts = await amountsOf(tx, settings, filled);
  await putAmounts(tx, {
    id,
    startedFrom: filled.startFrom,
    amounts: sql`SELECT user_id, minor, NULL::jsonb AS breakdown FROM (${amounts}) AS source`,
  });
}

interface Put {
  id: string;
  startedFrom: (typeof AMOUNT_SOURCES)[number];
  /** SQL of a query for `user_id`, `minor` and `breakdown`. */
  amounts: RawBuilder<unknown>;
}

/**
 * Puts amounts in place of those of a draft, for everyone of its department. With the department `chosen` only those who
 * were chosen get one.
 */
export async function putAmounts(tx: Tx, { id, startedFrom, amounts }: Put): Promise<void> {
  await sql`
    WITH draft AS (
      UPDATE payroll_draft SET started_from = ${startedFrom} WHERE id = ${id}
      RETURNING id, department, version
    ), wanted AS (
      SELECT person.id AS user_id, source.minor, source.breakdown
        FROM app_user AS person CROSS JOIN draft
        LEFT JOIN (${amounts}) AS source ON source.user_id = person.id
       WHERE person.is_employee AND person.deactivated_at IS NULL
         AND CASE draft.department
               WHEN 'chosen' THEN EXISTS (SELECT FROM payroll_draft_person AS named
                                           WHERE named.draft_id = draft.id AND named.user_id = person.id)
               ELSE source.minor IS NOT NULL AND draft.department IN ('all', person.department) END
    ), cleared AS (
      UPDATE payroll_draft_person AS named
         SET amount_minor = NULL, breakdown = NULL, version = draft.version
        FROM draft
       WHERE named.draft_id = draft.id AND named.amount_minor IS NOT NULL
         AND NOT EXISTS (SELECT FROM wanted WHERE wanted.user_id = named.user_id)
    )
    INSERT INTO payroll_draft_person (draft_id, user_id, amount_minor, breakdown, version)
    SELECT draft.id, wanted.user_id, wanted.minor, wanted.breakdown, draft.version
      FROM wanted CROSS JOIN draft
        ON CONFLICT (draft_id, user_id)
        DO UPDATE SET amount_minor = excluded.amount_minor, breakdown = excluded.breakdown,
                      version = excluded.version`.execute(tx);
}

/** SQL of a query for `user_id` and `minor`: usual pay on the pay date, or what the last payroll paid. */
async function amountsOf(
  tx: Tx,
  settings: CompanySettings,
  { startFrom, ...order }: Omit<Filled, 'id'>,
): Promise<RawBuilder<unknown>> {
  if (startFrom === 'last') return paidByLast(await findLastPayroll(tx, settings, order));
  const { walletType, on } = order;
  return sql`SELECT user_id, amount_minor AS minor FROM (${usualPay(walletType, on)}) AS usual`;
}

/**
 * Adds people to a draft whose version is 1, if it names people: with own amounts, and where they are chosen. Their
 * amounts are kept with own amounts alone.
 *
 * @param named SQL of a query for `user_id`, `amount_minor` and `breakdown`
 */
export async function addNamed(tx: Tx, draftId: string, named: RawBuilder<unknown>): Promise<void> {
  await sql`
    INSERT INTO payroll_draft_person (draft_id, user_id, amount_minor, breakdown, version)
    SELECT draft.id, named.user_id, CASE WHEN draft.has_own_amounts THEN named.amount_minor END,
           CASE WHEN draft.has_own_amounts THEN named.breakdown END, 1
      FROM payroll_draft AS draft CROSS JOIN (${named}) AS named
     WHERE draft.id = ${draftId} AND (draft.has_own_amounts OR draft.department = 'chosen')`.execute(
    tx,
  );
}
