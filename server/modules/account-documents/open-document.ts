import type { AccountDocument } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { SentPdf } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAccess } from '#server/modules/access-log/index.ts';
import type { Services } from '#server/services.ts';
import { makeDocument } from './make-document.ts';
import { drawPdf } from './pdf/draw-pdf.ts';
import { documentScope } from './scope.ts';

/** A payslip or statement of a person. */
interface DocumentOfPerson {
  personId: string;
  /** Id of the document (contract/account-documents.ts). */
  documentId: string;
}

/**
 * A payslip or statement of another person, for an admin. Opening it is recorded, and the person
 * sees which admin opened which document.
 *
 * @throws {AppError} `person_not_found`, `account_document_not_found`
 */
export async function openDocument(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { personId, documentId }: DocumentOfPerson,
): Promise<AccountDocument> {
  const scope = await documentScope(tx, personId, clock.now());
  const document = await makeDocument(tx, scope, { id: documentId, isWhole: false });
  await recordOpened(tx, by, personId, document);
  return document;
}

/**
 * The same document as PDF. The access is recorded before the document is sent.
 *
 * @throws {AppError} `person_not_found`, `account_document_not_found`, `statement_too_long`
 */
export async function drawDocumentOf(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { personId, documentId }: DocumentOfPerson,
): Promise<SentPdf> {
  const scope = await documentScope(db, personId, clock.now());
  const document = await makeDocument(db, scope, { id: documentId, isWhole: true });
  const bytes = await drawPdf(document);
  await withTx(db, (tx) => recordOpened(tx, by, personId, document));
  return { bytes, fileName: document.fileName };
}

/** An admin who opens their own document leaves no record, as with their identity documents. */
export async function recordOpened(
  tx: Tx,
  by: CommandContext,
  personId: string,
  { kind, reference }: Pick<AccountDocument, 'kind' | 'reference'>,
): Promise<void> {
  if (personId === by.actor.id) return;
  await recordAccess(tx, by, {
    action: 'account_document.opened',
    subjectType: 'account_document',
    subjectId: personId,
    personId,
    details: { type: kind, reference },
  });
}
