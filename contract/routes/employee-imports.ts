import { z } from 'zod';
import { namedObject } from '../schema-names.ts';
import { IMPORT_COLUMN_IDS, IMPORT_MAX_COLUMNS, IMPORT_STATUSES } from '../employee-import.ts';
import { importRowList } from '../lists.ts';
import { IMPORT_ROW_STATUSES } from '../statuses.ts';
import { done, person } from './common.ts';
import { id, idParams, instant, rowInteger } from './values.ts';
import { defineRoute } from './define.ts';
import { passwordLinks, passwordLinksWay } from './employees.ts';
import { listRoutes } from './list.ts';

const columnIndex = z
  .number()
  .int()
  .min(0)
  .max(IMPORT_MAX_COLUMNS - 1)
  .nullable();

/** Column of the file for each field; null where the file has none. */
const mapping = namedObject('ImportColumns', {
  /** The first name, where `lastName` is a column of its own. */
  fullName: columnIndex,
  lastName: columnIndex,
  email: columnIndex,
  department: columnIndex,
  position: columnIndex,
});

/** A file of employees: what it says, and how far its import is. */
const employeeImport = namedObject('EmployeeImport', {
  id,
  fileName: z.string(),
  byteCount: z.number().int(),
  status: z.enum(IMPORT_STATUSES),
  /** Grows each time it is checked: what is confirmed is what was seen. */
  version: z.number().int(),
  /** The names of the file's columns. */
  header: z.array(z.string()),
  mapping,
  counts: z.object({
    rows: z.number().int(),
    /** Lines that sum up the rows and are left out. They are not among `rows`. */
    totals: z.number().int(),
    ready: z.number().int(),
    errors: z.number().int(),
    duplicates: z.number().int(),
    imported: z.number().int(),
    failed: z.number().int(),
  }),
  /** True if each is mailed a link to choose a password. */
  isMailed: z.boolean(),
  uploadedBy: person.pick({ id: true, name: true }),
  checkedAt: instant,
  confirmedBy: z.string().nullable(),
  confirmedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});

const importRow = namedObject('ImportRow', {
  id,
  /** As a spreadsheet counts: the header is row 1. */
  row: z.number().int(),
  fullName: z.string(),
  email: z.string(),
  department: z.string(),
  position: z.string(),
  status: z.enum(IMPORT_ROW_STATUSES),
  /** Faults by column; of a duplicate, the column that is the same. */
  problems: z.array(z.object({ column: z.enum(IMPORT_COLUMN_IDS), message: z.string() })),
  /** The person who was added; of a duplicate, the one who is here already. */
  person: z.object({ id, employeeId: z.string().nullable() }).nullable(),
});

export const employeeImportRoutes = {
  adminGetImport: defineRoute('GET /api/admin/employee-imports/latest', {
    summary: 'The import of employees that is not finished, or else the last one',
    access: 'admin',
    topics: ['imports'],
    reply: z.object({ latest: employeeImport.nullable() }),
  }),
  adminUploadImport: defineRoute('POST /api/admin/employee-imports', {
    summary: 'Check a CSV file of employees; nobody is added before it is confirmed',
    access: 'admin',
    // The server reads up to 25 MB of it.
    confirms: 'recent',
    query: z.object({ fileName: z.string().max(1_000).default('') }),
    upload: 'csv',
    hourly: 'uploads',
    reply: employeeImport,
    status: 201,
    errors: [
      'import_in_progress',
      'import_too_large',
      'import_too_many_rows',
      'import_not_text',
      'import_unreadable',
      'import_no_header',
      'import_empty',
      'import_not_found',
    ],
  }),
  adminMatchImport: defineRoute('PUT /api/admin/employee-imports/{id}/columns', {
    summary: 'Say which column of the file is which, and check it again',
    access: 'admin',
    changes: { admins: ['imports'] },
    params: idParams,
    body: mapping,
    reply: done,
    errors: ['import_not_found', 'import_wrong_status'],
  }),
  adminConfirmImport: defineRoute('POST /api/admin/employee-imports/{id}/confirm', {
    summary: 'Add everyone whose row is ready; goes on by itself until all are added',
    access: 'admin',
    // Many people get a mail of ours.
    confirms: 'recent',
    changes: { admins: ['imports'] },
    params: idParams,
    body: z.object({ version: rowInteger }),
    reply: done,
    errors: ['import_not_found', 'import_wrong_status', 'import_nothing_ready', 'conflict'],
  }),
  adminDiscardImport: defineRoute('POST /api/admin/employee-imports/{id}/discard', {
    summary: 'Throw away a file that is not confirmed',
    access: 'admin',
    changes: { admins: ['imports'] },
    params: idParams,
    reply: done,
    errors: ['import_not_found', 'import_wrong_status'],
  }),
  adminCreateImportLinks: defineRoute('POST /api/admin/employee-imports/{id}/password-links', {
    summary:
      'Links to choose a first password for the next people of an import: mailed, or shown once to be handed out',
    access: 'admin',
    confirms: 'recent',
    hourly: 'passwordLinks',
    params: idParams,
    body: z.object({
      /** The `next` of the reply before; 0 for the first people. */
      after: rowInteger,
      way: passwordLinksWay,
    }),
    reply: passwordLinks.extend({
      /** Null where these were the last. */
      next: z.number().int().nullable(),
    }),
    errors: ['import_not_found'],
  }),
  ...listRoutes('/api/admin/employee-imports/{id}/rows', importRowList, importRow, {
    names: { status: 'ImportRowFilter' },
    summary: 'Rows of an import, those that are left out first',
    access: 'admin',
    topics: ['imports'],
    params: idParams,
    errors: ['import_not_found'],
  }),
};
