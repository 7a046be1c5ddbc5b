import { sql } from 'kysely';
import type { RouteArguments } from '#contract/api.ts';
import type { AbsentChoice } from '#contract/payroll-file.ts';
import { sortedName } from '#server/db/person-order.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { problemOf } from '../decide-lines.ts';
import { findLastPayroll, paidByLast } from '../last-payroll.ts';
import { employeesOf } from '../rules.ts';
import type { LockedDraft } from './lock-draft.ts';

/** A person whom the last payroll paid and a file does not name. */
export interface AbsentPerson {
  id: string;
  name: string;
  employeeNumber: string | null;
  lastMinor: bigint;
}

interface Looked {
  /** Day of the company's calendar on which the draft is paid. */
  on: string;
  /** Everyone whom a row of the file names, also without an amount. */
  named: readonly string[];
}

/** People whom the last payroll paid, whom the draft can pay, and whom no row of a file names, by name. */
export async function readAbsent(
  reader: Reader,
  settings: CompanySettings,
  draft: Pick<LockedDraft, 'id' | 'walletType' | 'department'>,
  { on, named }: Looked,
): Promise<{ lastOn: string | null; people: AbsentPerson[] }> {
  const { id, walletType, department } = draft;
  const last = await findLastPayroll(reader, settings, { walletType, department, on });
  if (last === null) return { lastOn: null, people: [] };
  const { rows } = await sql<AbsentPerson>`
    SELECT person.id, person.name, person.employee_number, paid.minor AS last_minor
      FROM (${paidByLast(last)}) AS paid
      JOIN app_user AS person ON person.id = paid.user_id
      LEFT JOIN wallet ON wallet.user_id = person.id AND wallet.type = ${walletType}
                      AND wallet.closed_at IS NULL
     WHERE paid.minor > 0 AND ${problemOf(draft)} IS NULL
       AND NOT EXISTS (SELECT FROM unnest(${named}::uuid[]) AS one (id) WHERE one.id = person.id)
       AND (${department} <> 'chosen' OR EXISTS (
             SELECT FROM payroll_draft_person AS chosen
              WHERE chosen.draft_id = ${id} AND chosen.user_id = person.id))
     ORDER BY ${sortedName('person')}, person.first_name, person.id`.execute(reader);
  return { lastOn: last.on, people: rows };
}

/**
 * The people with the choice that was made for each.
 *
 * @throws {AppError} `payroll_file_absent` where one has none; `conflict` for a choice about somebody who is not absent
 */
export function chooseForAbsent(
  people: readonly AbsentPerson[],
  {
    absent,
    absentRest,
  }: Pick<RouteArguments<'adminFillInPayrollFile'>['query'], 'absent' | 'absentRest'>,
): { person: AbsentPerson; choice: AbsentChoice }[] {
  const named = new Map(
    absent === ''
      ? []
      : absent.split(',').map((one) => {
          const [choice, id] = one.split('.') as [AbsentChoice, string];
          return [id, choice] as const;
        }),
  );
  const chosen = people.flatMap((person) => {
    const choice = named.get(person.id) ?? absentRest;
    named.delete(person.id);
    return choice === undefined ? [] : [{ person, choice }];
  });
  if (named.size > 0) throw new AppError('conflict');
  const open = people.length - chosen.length;
  if (open > 0) throw new AppError('payroll_file_absent', { people: employeesOf(open) });
  return chosen;
}
