import type { Handlers } from '#server/http/handlers.ts';
import { command, query } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import { historyScope } from '#server/modules/history/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { zip } from '#server/lib/zip.ts';
import type { ZippedFile } from '#server/lib/zip.ts';
import { documentsOfYear, drawArchive } from './archive.ts';
import { drawPdf } from './pdf/draw-pdf.ts';
import type { Services } from '#server/services.ts';
import { listAccountDocuments } from './list.ts';
import { makeDocument } from './make-document.ts';
import { drawDocumentOf, openDocument } from './open-document.ts';
import { drawPayslips, findPayslips } from './payslips-of-batch.ts';
import { ownReceipts } from './receipt-list.ts';
import { documentScope, ownDocumentScope } from './scope.ts';

type Names =
  | 'listAccountDocuments'
  | 'getAccountDocument'
  | 'downloadAccountDocument'
  | 'downloadDocumentArchive'
  | 'listReceipts'
  | 'countReceipts'
  | 'adminListAccountDocuments'
  | 'adminGetAccountDocument'
  | 'adminDownloadAccountDocument'
  | 'adminDownloadPayslips';

/**
 * Employees read only documents with their own id, so another's is not found. Admins name the
 * person.
 */
export function accountDocumentHandlers({ clock, vault }: Services): Pick<Handlers, Names> {
  return {
    ...listHandlers(ownReceipts, async (db, { actor }) =>
      historyScope(db, actor.id, await readSettings(db)),
    ),
    listAccountDocuments: query(async (db, { actor }, { query: { year } }) =>
      listAccountDocuments(db, await documentScope(db, actor.id, clock.now()), year ?? null),
    ),
    getAccountDocument: query(async (db, { actor }, { params: { id } }) => {
      const scope = await ownDocumentScope(db, { clock, vault }, actor.id);
      return makeDocument(db, scope, { id, isWhole: false });
    }),
    downloadAccountDocument: {
      kind: 'pdf',
      run: async (db, { actor }, { params: { id } }) => {
        const scope = await ownDocumentScope(db, { clock, vault }, actor.id);
        const document = await makeDocument(db, scope, { id, isWhole: true });
        return { bytes: await drawPdf(document), fileName: document.fileName };
      },
    },
    adminListAccountDocuments: query(async (db, _context, { params: { id }, query: { year } }) =>
      listAccountDocuments(db, await documentScope(db, id, clock.now()), year ?? null),
    ),
    adminGetAccountDocument: command((tx, by, { params: { id, document } }) =>
      openDocument(tx, { clock }, by, { personId: id, documentId: document }),
    ),
    adminDownloadAccountDocument: {
      kind: 'pdf',
      run: (db, by, { params: { id, document } }) =>
        drawDocumentOf(db, { clock }, by, { personId: id, documentId: document }),
    },
    downloadDocumentArchive: {
      kind: 'zip',
      run: async (db, { actor }, { params: { year } }) => {
        const scope = await ownDocumentScope(db, { clock, vault }, actor.id);
        const ids = await documentsOfYear(db, scope, year);
        return zipped(`documents-${year}.zip`, drawArchive(db, scope, ids), scope.now);
      },
    },
    adminDownloadPayslips: {
      kind: 'zip',
      run: async (db, by, { params: { id }, query: { part } }) => {
        const batch = { batchId: id, part };
        const { number } = await findPayslips(db, batch);
        const name = `payslips-${number}${part === 1 ? '' : `-${part}`}.zip`;
        return zipped(name, drawPayslips(db, { clock }, by, batch), clock.now());
      },
    },
  };
}

/** An archive of files that are drawn while it is sent, with the number of those that were. */
function zipped(name: string, files: AsyncIterable<ZippedFile>, at: Date) {
  let drawn = 0;
  const counted = async function* () {
    for await (const file of files) {
      yield file;
      drawn += 1;
    }
  };
  return { name, chunks: zip(counted(), at), rows: () => drawn };
}
