import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { addEmployee } from './add-employee.ts';
import { confirmImport, discardImport, matchImport } from './imports/decide-import.ts';
import { findImport, latestImport } from './imports/present.ts';
import { importRows } from './imports/row-list.ts';
import { uploadImport } from './imports/upload-import.ts';

type Names =
  | 'adminAddEmployee'
  | 'adminGetImport'
  | 'adminUploadImport'
  | 'adminMatchImport'
  | 'adminConfirmImport'
  | 'adminDiscardImport'
  | 'adminListImportRows'
  | 'adminCountImportRows'
  | 'adminExportImportRows';

/** How employees join. */
export function employeeHandlers(
  services: Services,
  { confirmsEmail }: Pick<Identity, 'confirmsEmail'>,
): Pick<Handlers, Names> {
  const mail = { isMailed: confirmsEmail };
  return {
    adminAddEmployee: command((tx, by, { body }) => addEmployee(tx, services, by, body, mail)),
    adminGetImport: query(async (db) => ({ latest: await latestImport(db) })),
    adminUploadImport: {
      kind: 'upload',
      run: (db, by, { query: { fileName } }, body) =>
        uploadImport(db, services, by, { fileName, body }, mail),
    },
    adminMatchImport: command(async (tx, by, { params, body }) => {
      await matchImport(tx, services, by, { id: params.id, mapping: body });
      return { ok: true };
    }),
    adminConfirmImport: command(async (tx, by, { params, body }) => {
      await confirmImport(tx, services, by, { ...params, ...body });
      return { ok: true };
    }),
    adminDiscardImport: command(async (tx, by, { params }) => {
      await discardImport(tx, by, params.id);
      return { ok: true };
    }),
    ...listHandlers(
      importRows,
      async (db, _context, { params }) => ({
        one: await findImport(db, params.id),
        settings: await readSettings(db),
      }),
      {
        name: 'employee-import',
        clock: services.clock,
        timeZone: ({ settings }) => settings.timeZone,
      },
    ),
  };
}
