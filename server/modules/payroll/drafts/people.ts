import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import { DRAFT_PAGE } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { PayrollLineReason } from '#contract/payroll.ts';
import { sortedName } from '#server/db/person-order.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { findLastPayroll, paidByLast } from '../last-payroll.ts';

interface PersonRow {
  id: string;
  name: string;
  employeeNumber: string | null;
  department: Department;
  walletLast4: string | null;
  lastMinor: bigint | null;
  amountMinor: bigint | null;
  isNamed: boolean;
  problem: PayrollLineReason | null;
}

/**
 * People of a draft for its sheet, by name: everyone of its department who works here, and everyone else who has an
 * amount or was chosen.
 *
 * @param after id of the last person of the page before
 * @throws {AppError} `payroll_draft_not_found`
 */
export async function listDraftPeople(
  reader: Reader,
  settings: CompanySettings,
  { id, after }: { id: string; after?: string | undefined },
): Promise<RouteReply<'adminGetDraftPeople'>> {
  const draft = await reader
    .selectFrom('payrollDraft')
    .select(['version', 'walletType', 'department', 'currency'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (draft === undefined) throw new AppError('payroll_draft_not_found');
  const { walletType, department, currency } = draft;
  const last = await findLastPayroll(reader, settings, walletType);
  const place = sql`(${sortedName('person')}, person.first_name, person.id)`;
  const { rows } = await sql<PersonRow>`
    WITH last AS (${paidByLast(last)})
    SELECT person.id, person.name, person.employee_number, person.department,
           wallet.last4 AS wallet_last4, last.minor AS last_minor, named.amount_minor,
           named.user_id IS NOT NULL AS is_named,
           CASE WHEN person.deactivated_at IS NOT NULL OR NOT person.is_employee
                THEN 'employee_inactive'
                WHEN person.accepted_at IS NULL THEN 'applicant'
                WHEN NOT ${department} = ANY (ARRAY['all', 'chosen', person.department])
                THEN 'other_department'
                WHEN wallet.id IS NULL AND EXISTS (
                  SELECT FROM wallet AS closed
                   WHERE closed.user_id = person.id AND closed.type = ${walletType})
                THEN 'wallet_closed'
                WHEN wallet.id IS NULL THEN 'no_wallet' END AS problem
      FROM app_user AS person
      LEFT JOIN payroll_draft_person AS named
        ON named.user_id = person.id AND named.draft_id = ${id}
      LEFT JOIN wallet ON wallet.user_id = person.id AND wallet.type = ${walletType}
                      AND wallet.closed_at IS NULL
      LEFT JOIN last ON last.user_id = person.id
     WHERE (named.amount_minor IS NOT NULL
            OR (named.user_id IS NOT NULL AND ${department} = 'chosen')
            OR (person.is_employee AND person.accepted_at IS NOT NULL AND person.deactivated_at IS NULL
                AND ${department} IN ('all', person.department)))
       AND ${
         after === undefined
           ? sql`true`
           : sql`${place} > (SELECT ${sortedName('person')}, person.first_name, person.id
                               FROM app_user AS person WHERE person.id = ${after})`
       }
     ORDER BY ${sortedName('person')}, person.first_name, person.id
     LIMIT ${DRAFT_PAGE + 1}`.execute(reader);
  const items = rows.slice(0, DRAFT_PAGE);
  return {
    version: draft.version,
    lastOn: last?.on ?? null,
    people: items.map(({ employeeNumber, lastMinor, amountMinor, ...person }) => ({
      ...person,
      employeeId: employeeNumber,
      last: lastMinor === null ? null : money(lastMinor, currency),
      amount: amountMinor === null ? null : money(amountMinor, currency),
    })),
    next: rows.length > DRAFT_PAGE ? (items.at(-1)?.id ?? null) : null,
  };
}
