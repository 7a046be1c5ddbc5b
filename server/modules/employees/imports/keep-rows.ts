import { sql } from 'kysely';
import { checkImportRow } from '#contract/employee-import.ts';
import type { ImportColumns } from '#contract/employee-import.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import type { SheetRow } from '#server/lib/sheet-rows.ts';

/** Rows of a file in one transaction. */
export const CHUNK_ROWS = 1_000;
/** Characters of rows that are checked before other requests have their turn: some milliseconds. */
const SLICE_LENGTH = 200_000;

interface KeptRow extends SheetRow {
  id: string;
}

/** Keeps rows of a file, each with what is wrong with it. */
export async function keepRows(
  tx: Tx,
  importId: string,
  rows: readonly SheetRow[],
  columns: ImportColumns,
): Promise<void> {
  for (const slice of inSlices(rows)) await insertRows(tx, importId, slice, columns);
}

/** The rows in slices of some length, so that a thousand long ones are not checked in one go. */
function* inSlices<Row extends SheetRow>(rows: readonly Row[]): Generator<Row[]> {
  let slice: Row[] = [];
  let length = 0;
  for (const row of rows) {
    slice.push(row);
    length += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (length < SLICE_LENGTH) continue;
    yield slice;
    [slice, length] = [[], 0];
  }
  if (slice.length > 0) yield slice;
}

async function insertRows(
  tx: Tx,
  importId: string,
  rows: readonly SheetRow[],
  columns: ImportColumns,
): Promise<void> {
  await sql`
    INSERT INTO employee_import_row (id, import_id, row_number, cells, full_name, email, department,
                                     position, status, problems)
    SELECT id, ${importId}, row_number, cells, full_name, email, department, position, status,
           problems
      FROM json_to_recordset(${JSON.stringify(rows.map((row) => ({ id: newId(), cells: row.cells, ...checked(row, columns) })))}::json)
        AS one (id uuid, row_number integer, cells jsonb, full_name text, email text,
                department text, position text, status text, problems jsonb)`.execute(tx);
}

/** Checks rows that are kept by other columns. */
export async function checkRowsAgain(
  tx: Tx,
  importId: string,
  columns: ImportColumns,
): Promise<void> {
  for (let after = 0; ;) {
    const rows = await readCells(tx, importId, after);
    if (rows.length === 0) return;
    after = rows.at(-1)?.rowNumber ?? after;
    for (const slice of inSlices(rows)) await updateRows(tx, slice, columns);
  }
}

async function updateRows(tx: Tx, rows: readonly KeptRow[], columns: ImportColumns): Promise<void> {
  await sql`
    UPDATE employee_import_row AS kept
       SET full_name = one.full_name, email = one.email, department = one.department,
           position = one.position, status = one.status, problems = one.problems, user_id = NULL
      FROM json_to_recordset(${JSON.stringify(rows.map((row) => ({ id: row.id, ...checked(row, columns) })))}::json)
        AS one (id uuid, full_name text, email text, department text, position text,
                status text, problems jsonb)
     WHERE kept.id = one.id`.execute(tx);
}

async function readCells(tx: Tx, importId: string, after: number): Promise<KeptRow[]> {
  const { rows } = await sql<KeptRow>`
    SELECT id, row_number, cells FROM employee_import_row
     WHERE import_id = ${importId} AND row_number > ${after}
     ORDER BY row_number LIMIT ${CHUNK_ROWS}`.execute(tx);
  return rows;
}

function checked({ rowNumber, cells }: SheetRow, columns: ImportColumns) {
  const { person, problems } = checkImportRow(cells, columns);
  return {
    row_number: rowNumber,
    full_name: person.fullName,
    email: person.email,
    department: person.department,
    position: person.position,
    status: problems.length === 0 ? 'ready' : 'error',
    problems,
  };
}

/**
 * Marks who is in the file twice, of whom the first row counts, and who is here already; then counts
 * the rows.
 *
 * Rows are joined by their primary key alone. Nothing is known yet of how many rows an import has, and
 * by any other column they were compared each with each: 4,000 rows took more than 15 seconds.
 */
export async function finishCheck(tx: Tx, importId: string): Promise<Counts> {
  await sql`
    UPDATE employee_import_row AS late
       SET status = 'duplicate',
           problems = jsonb_build_array(jsonb_build_object('column', 'email',
             'message', 'Same email as row ' || one.first_row))
      FROM (SELECT id, row_number, min(row_number) OVER (PARTITION BY email) AS first_row
              FROM employee_import_row WHERE import_id = ${importId} AND status = 'ready') AS one
     WHERE late.id = one.id AND one.row_number > one.first_row`.execute(tx);
  await sql`
    UPDATE employee_import_row AS one
       SET status = 'duplicate', user_id = person.id,
           problems = '[{ "column": "email", "message": "Already here" }]'
      FROM app_user AS person
     WHERE one.import_id = ${importId} AND one.status = 'ready' AND person.email = one.email`.execute(
    tx,
  );
  return countRows(tx, importId);
}

/**
 * SHA-256 as hex over the rows that are ready, which the record of a check has: the confirmation compares it. Ids of
 * rows are random, so that nobody guesses a person from it.
 */
export async function hashReadyRows(tx: Tx, importId: string): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    SELECT encode(sha256(convert_to(coalesce(string_agg(jsonb_build_array(
             id, row_number, full_name, email, department, position)::text, '' ORDER BY row_number), ''),
             'UTF8')), 'hex') AS hash
      FROM employee_import_row WHERE import_id = ${importId} AND status = 'ready'`.execute(tx);
  return invariant(rows[0], 'an aggregate has a row').hash;
}

export interface Counts {
  rowCount: number;
  readyCount: number;
  errorCount: number;
  duplicateCount: number;
}

async function countRows(tx: Tx, importId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    SELECT count(*)::integer AS row_count,
           (count(*) FILTER (WHERE status = 'ready'))::integer AS ready_count,
           (count(*) FILTER (WHERE status = 'error'))::integer AS error_count,
           (count(*) FILTER (WHERE status = 'duplicate'))::integer AS duplicate_count
      FROM employee_import_row WHERE import_id = ${importId}`.execute(tx);
  return rows[0] ?? { rowCount: 0, readyCount: 0, errorCount: 0, duplicateCount: 0 };
}
