import type { EmployeeImport, ImportRow } from '#contract/api.ts';
import { IMPORT_COLUMN_IDS } from '#contract/employee-import.ts';
import type { ImportMapping, ImportProblem } from '#contract/employee-import.ts';
import { personName } from '#server/db/person-name.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';

function selectImports(reader: Reader) {
  return reader
    .selectFrom('employeeImport')
    .selectAll('employeeImport')
    .select(personName('employee_import.created_by').as('uploaderName'))
    .select(personName<string | null>('employee_import.confirmed_by').as('confirmerName'));
}

export type ImportRecord = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number];

/** @throws {AppError} `import_not_found` */
export async function findImport(reader: Reader, id: string): Promise<ImportRecord> {
  const found = await selectImports(reader).where('employeeImport.id', '=', id).executeTakeFirst();
  if (found === undefined) throw new AppError('import_not_found');
  return found;
}

/** The import that is not finished, or else the last one; null before the first. */
export async function latestImport(reader: Reader): Promise<EmployeeImport | null> {
  const found = await selectImports(reader)
    .orderBy('employeeImport.createdAt', 'desc')
    .orderBy('employeeImport.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found === undefined ? null : presentImport(found);
}

/** The mapping as the table has it. */
export function columnsOf(mapping: ImportMapping) {
  return {
    fullNameColumn: mapping.fullName,
    lastNameColumn: mapping.lastName,
    emailColumn: mapping.email,
    departmentColumn: mapping.department,
    positionColumn: mapping.position,
  };
}

export function presentImport(row: ImportRecord): EmployeeImport {
  const { id, fileName, byteCount, status, version, header, isMailed } = row;
  return {
    id,
    fileName,
    byteCount,
    status,
    version,
    header,
    isMailed,
    mapping: {
      fullName: row.fullNameColumn,
      lastName: row.lastNameColumn,
      email: row.emailColumn,
      department: row.departmentColumn,
      position: row.positionColumn,
    },
    counts: {
      rows: row.rowCount,
      totals: row.totalRowCount,
      ready: row.readyCount,
      errors: row.errorCount,
      duplicates: row.duplicateCount,
      imported: row.importedCount,
      failed: row.failedCount,
    },
    uploadedBy: { id: row.createdBy, name: row.uploaderName },
    checkedAt: row.createdAt.toISOString(),
    confirmedBy: row.confirmerName,
    confirmedAt: row.confirmedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** A row as it is read for the list. */
export interface ImportRowRecord extends Omit<ImportRow, 'row' | 'person' | 'problems'> {
  rowNumber: number;
  problems: ImportProblem[];
  userId: string | null;
  employeeNumber: string | null;
}

export function presentRow(row: ImportRowRecord): ImportRow {
  const { id, fullName, email, department, position, status, problems, userId } = row;
  return {
    id,
    fullName,
    email,
    department,
    position,
    status,
    row: row.rowNumber,
    problems: problems.toSorted(
      (a, b) => IMPORT_COLUMN_IDS.indexOf(a.column) - IMPORT_COLUMN_IDS.indexOf(b.column),
    ),
    person: userId === null ? null : { id: userId, employeeId: row.employeeNumber },
  };
}
