import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { importRowList } from '#contract/lists.ts';
import { ascending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { Reader } from '#server/db/tx.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { presentRow } from './present.ts';
import type { ImportRecord, ImportRowRecord } from './present.ts';

const IN_FILE = ascending(key(sql`one.row_number`, 'whole'));

const OUTCOMES: Record<ImportRowRecord['status'], string> = {
  error: 'Not imported',
  duplicate: 'Left out',
  ready: 'Waiting',
  imported: 'Imported',
  failed: 'Not imported',
};

/** The import that the rows belong to. */
interface Scope {
  one: ImportRecord;
  settings: CompanySettings;
}

/** The rows of an import: what failed, has errors or is double; then the others as the file has them. */
export const importRows = readsList(importRowList, {
  from: () => [sql`employee_import_row AS one`],
  id: sql`one.id`,
  within: ({ one }: Scope) => sql`one.import_id = ${one.id}`,
  where: {
    status: (status) =>
      status === 'left-out'
        ? sql`one.status IN ('error', 'duplicate', 'failed')`
        : sql`one.status = ${status}`,
  },
  segments: ({ status }) => segmentsOf(status),
  rows: readRows,
  present: (row: ImportRowRecord) => presentRow(row),
  knownTotal: ({ status }, { one }) => knownCount(status, one),
  csv: [
    { header: 'Row', cell: ({ rowNumber }) => plainCell(String(rowNumber)) },
    { header: 'Full Name', cell: ({ fullName }) => textCell(fullName) },
    { header: 'Email', cell: ({ email }) => textCell(email) },
    { header: 'Department', cell: ({ department }) => textCell(department) },
    { header: 'Position', cell: ({ position }) => textCell(position) },
    { header: 'Outcome', cell: ({ status }) => plainCell(OUTCOMES[status]) },
    {
      header: 'Reason',
      cell: (row) =>
        textCell(
          presentRow(row)
            .problems.map(({ message }) => message)
            .join('. '),
        ),
    },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
  ],
});

/** Each by its own index: of one status, or of those that are imported. */
function segmentsOf(status: string) {
  const only = (where: RawBuilder<boolean>) => ({ where, order: IN_FILE });
  const leftOut = ['failed', 'error', 'duplicate'].map((each) => only(sql`one.status = ${each}`));
  if (status === 'left-out') return leftOut;
  if (status !== 'all') return [{ order: IN_FILE }];
  return [...leftOut, only(sql`one.status IN ('ready', 'imported')`)];
}

function knownCount(status: string, one: ImportRecord): number | undefined {
  const leftOut = one.errorCount + one.duplicateCount + one.failedCount;
  const counts: Readonly<Record<string, number>> = {
    all: one.rowCount,
    'left-out': leftOut,
    error: one.errorCount,
    duplicate: one.duplicateCount,
    failed: one.failedCount,
    imported: one.importedCount,
    ready: one.readyCount - one.importedCount - one.failedCount,
  };
  return counts[status];
}

async function readRows(reader: Reader, ids: readonly string[]): Promise<ImportRowRecord[]> {
  const { rows } = await sql<ImportRowRecord>`
    SELECT one.id, one.row_number, one.full_name, one.email, one.department, one.position, one.status,
           one.problems, one.user_id, person.employee_number
      FROM employee_import_row AS one LEFT JOIN app_user AS person ON person.id = one.user_id
     WHERE one.id = ANY (${ids}::uuid[])`.execute(reader);
  return rows;
}
