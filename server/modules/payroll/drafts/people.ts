import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import { dayIn } from '#contract/calendar.ts';
import { DRAFT_PAGE } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { PayrollLineReason } from '#contract/payroll.ts';
import { sortedName } from '#server/db/person-order.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { problemOf } from '../decide-lines.ts';
import { findLastPayroll } from '../last-payroll.ts';

interface PersonRow {
  id: string;
  name: string;
  employeeNumber: string | null;
  department: Department;
  walletLast4: string | null;
  lastMinor: bigint | null;
  amountMinor: bigint | null;
  breakdownMinor: bigint | null;
  problem: PayrollLineReason | null;
}

/**
 * People of a draft for its sheet, by name: everyone of its department who works here, and everyone else who has an
 * amount or was chosen.
 *
 * The page's people come first, and their wallets and amounts are then looked up one by one. With a join of all lines of the last
 * payroll, a page took 34 s right after a payroll of 100,000 people, of which PostgreSQL had no statistics yet; now
 * 0.2 s.
 *
 * @param after id of the last person of the page before
 * @throws {AppError} `payroll_draft_not_found`
 */
export async function listDraftPeople(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  { id, after }: { id: string; after?: string | undefined },
): Promise<RouteReply<'adminGetDraftPeople'>> {
  const draft = await reader
    .selectFrom('payrollDraft')
    .select(['version', 'walletType', 'department', 'payOn', 'currency'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (draft === undefined) throw new AppError('payroll_draft_not_found');
  const { walletType, department, payOn, currency } = draft;
  const settings = await readSettings(reader);
  const on = payOn ?? dayIn(settings.timeZone, clock.now());
  const last = await findLastPayroll(reader, settings, { walletType, department, on });
  const place = sql`${sortedName('person')}, person.first_name, person.id`;
  const { rows } = await sql<PersonRow>`
    WITH person AS MATERIALIZED (
      SELECT person.*, named.amount_minor, named.breakdown_minor
        FROM app_user AS person
        LEFT JOIN LATERAL (SELECT user_id, amount_minor, breakdown_net(breakdown) AS breakdown_minor
                             FROM payroll_draft_person
                            WHERE draft_id = ${id} AND user_id = person.id LIMIT 1) AS named ON true
       WHERE (named.amount_minor IS NOT NULL
              OR (named.user_id IS NOT NULL AND ${department} = 'chosen')
              OR (person.is_employee AND person.accepted_at IS NOT NULL AND person.deactivated_at IS NULL
                  AND ${department} IN ('all', person.department)))
         AND ${
           after === undefined
             ? sql`true`
             : sql`(${place}) > (SELECT ${place} FROM app_user AS person WHERE person.id = ${after})`
         }
       ORDER BY ${place}
       LIMIT ${DRAFT_PAGE + 1}
    )
    SELECT person.id, person.name, person.employee_number, person.department,
           wallet.last4 AS wallet_last4, last.minor AS last_minor, person.amount_minor,
           person.breakdown_minor, ${problemOf(draft)} AS problem
      FROM person
      LEFT JOIN LATERAL (SELECT id, last4 FROM wallet WHERE user_id = person.id AND type = ${walletType}
                            AND closed_at IS NULL LIMIT 1) AS wallet ON true
      CROSS JOIN LATERAL (
        SELECT sum(amount_minor - reversed_minor)::bigint AS minor FROM payroll_line
         WHERE user_id = person.id AND batch_id = ANY (${last?.batchIds ?? []}::uuid[])
           AND status = 'processed') AS last
     ORDER BY ${place}`.execute(reader);
  const items = rows.slice(0, DRAFT_PAGE);
  return {
    version: draft.version,
    lastOn: last?.on ?? null,
    people: items.map(({ employeeNumber, lastMinor, amountMinor, breakdownMinor, ...person }) => ({
      ...person,
      employeeId: employeeNumber,
      last: lastMinor === null ? null : money(lastMinor, currency),
      amount: amountMinor === null ? null : money(amountMinor, currency),
      breakdownNet: breakdownMinor === null ? null : money(breakdownMinor, currency),
    })),
    next: rows.length > DRAFT_PAGE ? (items.at(-1)?.id ?? null) : null,
  };
}
