import { command, doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import type { UploadQueue } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { openAvatar, removeAvatar, uploadAvatar } from './avatars.ts';
import { addEmployee } from './add-employee.ts';
import { correctName } from './correct-name.ts';
import { createImportLinks } from './imports/create-import-links.ts';
import { confirmImport, discardImport, matchImport } from './imports/decide-import.ts';
import { findImport, latestImport } from './imports/present.ts';
import { importRows } from './imports/row-list.ts';
import { uploadImport } from './imports/upload-import.ts';

type Names =
  | 'uploadMyAvatar'
  | 'removeMyAvatar'
  | 'getAvatar'
  | 'adminAddEmployee'
  | 'adminCorrectName'
  | 'adminGetImport'
  | 'adminUploadImport'
  | 'adminMatchImport'
  | 'adminConfirmImport'
  | 'adminDiscardImport'
  | 'adminCreateImportLinks'
  | 'adminListImportRows'
  | 'adminCountImportRows'
  | 'adminExportImportRows';

/** Operations by which employees join, and those of the pictures of people. */
export function employeeHandlers(
  services: Services,
  identity: Identity,
  queue: UploadQueue,
): Pick<Handlers, Names> {
  const mail = { isMailed: identity.confirmsEmail };
  return {
    uploadMyAvatar: {
      kind: 'upload',
      run: (db, by, _input, body) => uploadAvatar(db, { ...services, queue }, by, body),
    },
    removeMyAvatar: doneAfter((tx, by) => removeAvatar(tx, by)),
    getAvatar: {
      kind: 'image',
      run: (db, by, { params }) => openAvatar(db, services, by, params),
    },
    adminAddEmployee: command((tx, by, { body }) => addEmployee(tx, services, by, body, mail)),
    adminCorrectName: command((tx, by, { params, body }) =>
      correctName(tx, services, by, { ...params, ...body }),
    ),
    adminGetImport: query(async (db) => ({ latest: await latestImport(db) })),
    adminUploadImport: {
      kind: 'upload',
      run: (db, by, { query: { fileName } }, body) =>
        uploadImport(db, services, by, { fileName, body }, mail),
    },
    adminMatchImport: doneAfter((tx, by, { params, body }) =>
      matchImport(tx, services, by, { id: params.id, mapping: body }),
    ),
    adminConfirmImport: doneAfter((tx, by, { params, body }) =>
      confirmImport(tx, services, by, { ...params, ...body }),
    ),
    adminDiscardImport: doneAfter((tx, by, { params }) => discardImport(tx, by, params.id)),
    adminCreateImportLinks: {
      kind: 'auth',
      run: async (by, { params, body }) => ({
        reply: await createImportLinks(identity, by, { id: params.id, ...body }),
        cookies: [],
      }),
    },
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
