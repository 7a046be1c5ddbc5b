import { ARCHIVE_MAX_DOCUMENTS, receiptId } from '#contract/account-documents.ts';
import { firstView } from '#contract/list.ts';
import { receiptList } from '#contract/lists.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { ZippedFile } from '#server/lib/zip.ts';
import { historyScope } from '#server/modules/history/index.ts';
import { listAccountDocuments } from './list.ts';
import { makeDocument } from './make-document.ts';
import { drawPdf } from './pdf/draw-pdf.ts';
import { ownReceipts } from './receipt-list.ts';
import type { DocumentScope } from './scope.ts';

/** Number of receipts to look up at a time. */
const PAGE = 100;

/**
 * Ids of every payslip, final statement and receipt that a person has in a year so far.
 *
 * @param most maximum number of documents in an archive
 * @throws {AppError} `archive_too_large`; `archive_empty` if there are none
 */
export async function documentsOfYear(
  reader: Reader,
  scope: DocumentScope,
  year: number,
  most: number = ARCHIVE_MAX_DOCUMENTS,
): Promise<string[]> {
  const history = await historyScope(reader, scope.person.id, scope.settings);
  const view = { ...firstView(receiptList), from: `${year}-01-01`, to: `${year}-12-31` };
  const { payslips, statements } = await listAccountDocuments(reader, scope, year);
  const final = statements.filter(({ finalOn }) => finalOn === null);
  const { total: receipts } = await ownReceipts.count(reader, view, history);
  const documents = payslips.total + final.length + receipts;
  if (documents > most || payslips.total > payslips.items.length) {
    throw new AppError('archive_too_large', { documents, most });
  }
  if (documents === 0) throw new AppError('archive_empty', { year });
  const ids = [...payslips.items, ...final].map(({ id }) => id);
  for (let page = 1; (page - 1) * PAGE < receipts; page += 1) {
    const { items } = await ownReceipts.page(reader, { ...view, page, pageSize: PAGE }, history);
    ids.push(...items.map(({ id }) => receiptId(id)));
  }
  return ids;
}

/**
 * Draws each of those documents as PDF, one after another as the reader consumes them. A statement
 * that is too long for a document is named in a text file instead.
 */
export async function* drawArchive(
  reader: Reader,
  scope: DocumentScope,
  ids: readonly string[],
): AsyncGenerator<ZippedFile> {
  const names = new Set<string>();
  const leftOut: string[] = [];
  for (const id of ids) {
    try {
      const document = await makeDocument(reader, scope, { id, isWhole: true });
      const name = `${document.kind}s/${document.fileName}`;
      // A move between two accounts of one person has two receipts with the same reference.
      const unique = names.has(name) ? `${name}-2` : name;
      names.add(unique);
      yield { name: `${unique}.pdf`, bytes: await drawPdf(document) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'statement_too_long') throw error;
      leftOut.push(`${id}: ${error.message}\n`);
    }
  }
  if (leftOut.length > 0) yield { name: 'left-out.txt', bytes: Buffer.from(leftOut.join('')) };
}
