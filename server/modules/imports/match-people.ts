import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';

/** A row of a file that names a person. */
export interface NamedRow {
  /** As a spreadsheet counts. */
  row: number;
  /** Both empty where the row names nobody. */
  employeeId: string;
  email: string;
}

/** The person of a row, with the column that names them; or why the row names nobody that counts. */
export type Match =
  | { field: 'employeeId' | 'email'; userId: string }
  | { field: 'employeeId' | 'email'; userId: null; message: string };

/**
 * Finds the people of rows by employee ID, and by e-mail address where a row has no ID. An ID and an address of two people
 * are an error, and so is a person whom an earlier row names already.
 *
 * @returns the match of each row, by its number
 */
export async function matchPeople(
  reader: Reader,
  rows: readonly NamedRow[],
): Promise<ReadonlyMap<number, Match>> {
  const found = await findPeople(reader, rows);
  const firstRows = new Map<string, number>();
  const matches = new Map<number, Match>();
  for (const row of rows) {
    const match = matchOf(row, found.get(row.row));
    matches.set(row.row, match);
    if (match.userId === null) continue;
    const first = firstRows.get(match.userId);
    if (first === undefined) firstRows.set(match.userId, row.row);
    else matches.set(row.row, { ...match, userId: null, message: `Same person as row ${first}` });
  }
  return matches;
}

interface Found {
  row: number;
  byId: string | null;
  byEmail: string | null;
}

async function findPeople(
  reader: Reader,
  rows: readonly NamedRow[],
): Promise<ReadonlyMap<number, Found>> {
  const asked = rows.map(({ row, employeeId, email }) => ({ row, id: employeeId, email }));
  const { rows: found } = await sql<Found>`
    SELECT one.row, by_id.id AS by_id, by_email.id AS by_email
      FROM json_to_recordset(${JSON.stringify(asked)}::json) AS one ("row" integer, id text, email text)
      LEFT JOIN app_user AS by_id ON by_id.employee_number = one.id AND one.id <> ''
      LEFT JOIN app_user AS by_email ON by_email.email = one.email AND one.email <> ''`.execute(
    reader,
  );
  return new Map(found.map((one) => [one.row, one]));
}

function matchOf({ employeeId, email }: NamedRow, found: Found | undefined): Match {
  const byId = found?.byId ?? null;
  const byEmail = found?.byEmail ?? null;
  if (employeeId !== '') {
    if (byId === null) {
      return { field: 'employeeId', userId: null, message: 'Nobody has this employee ID' };
    }
    if (email !== '' && byEmail !== byId) {
      return { field: 'email', userId: null, message: 'Not the address of this employee ID' };
    }
    return { field: 'employeeId', userId: byId };
  }
  if (email === '') return { field: 'employeeId', userId: null, message: 'Names nobody' };
  return byEmail === null
    ? { field: 'email', userId: null, message: 'Nobody has this address' }
    : { field: 'email', userId: byEmail };
}
