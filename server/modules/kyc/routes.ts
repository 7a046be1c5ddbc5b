import type { Handlers } from '#server/http/handlers.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { loadOwnApplication, withCompletion } from './application/load-application.ts';
import { linkOwnDocument, openDocument } from './documents/open-document.ts';
import { presentVerification } from './documents/profile.ts';
import { saveApplication } from './application/save-application.ts';
import { startNewApplication } from './application/start-new-application.ts';
import { submitApplication } from './application/submit-application.ts';
import { uploadDocument } from './documents/upload-document.ts';
import type { UploadQueue } from './documents/upload-queue.ts';

type Names =
  | 'getMyApplication'
  | 'saveMyApplication'
  | 'submitMyApplication'
  | 'startNewApplication'
  | 'getMyVerification'
  | 'uploadDocument'
  | 'createDocumentLink'
  | 'getDocument';

/** Operations of an employee on their own identity. */
export function kycHandlers(services: Services, queue: UploadQueue): Pick<Handlers, Names> {
  const uploads = { ...services, queue };
  return {
    getMyApplication: query(async (db, { actor }) =>
      withCompletion(db, await loadOwnApplication(db, services, actor.id)),
    ),
    saveMyApplication: command(async (tx, by, { body }) =>
      withCompletion(tx, await saveApplication(tx, services, by, body)),
    ),
    submitMyApplication: command(async (tx, by, { body }) =>
      withCompletion(tx, await submitApplication(tx, services, by, body)),
    ),
    startNewApplication: command(async (tx, by) =>
      withCompletion(tx, await startNewApplication(tx, services, by)),
    ),
    getMyVerification: query((db, { actor }) => presentVerification(db, services.vault, actor.id)),
    uploadDocument: {
      kind: 'upload',
      run: (db, by, input, body) =>
        uploadDocument(db, uploads, by, {
          type: input.params.type,
          ...input.query,
          body,
        }),
    },
    createDocumentLink: command((tx, { actor }, { params }) =>
      linkOwnDocument(tx, services, actor.id, params),
    ),
    getDocument: {
      kind: 'image',
      run: (db, by, input) => openDocument(db, services, by, { ...input.params, ...input.query }),
    },
  };
}
