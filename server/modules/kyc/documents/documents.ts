import type { Selectable } from 'kysely';
import type { KycDocument } from '#contract/api.ts';
import { APPLICATION_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type { ApplicationDocumentType, KycDocumentType } from '#contract/kyc.ts';
import type { DB } from '#server/db/schema.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Vault } from '#server/vault/vault.ts';
import { fileNamePlace } from './stage-image.ts';

export type DocumentRow = Selectable<DB['kycDocument']>;

export function isApplicationDocument(type: KycDocumentType): type is ApplicationDocumentType {
  return APPLICATION_DOCUMENT_TYPES.some((one) => one === type);
}

/** The current documents of an application, front first. */
export function applicationDocuments(
  reader: Reader,
  applicationId: string,
): Promise<DocumentRow[]> {
  return reader
    .selectFrom('kycDocument')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('replacedAt', 'is', null)
    .orderBy('type', 'desc')
    .execute();
}

/** The current documents of a person's verification profile, in no order that means anything. */
export function walletDocuments(reader: Reader, userId: string): Promise<DocumentRow[]> {
  return reader
    .selectFrom('kycDocument')
    .selectAll()
    .where('userId', '=', userId)
    .where('applicationId', 'is', null)
    .where('replacedAt', 'is', null)
    .orderBy('type')
    .execute();
}

/** @throws {AppError} `document_not_found` */
export async function loadDocument(reader: Reader, id: string): Promise<DocumentRow> {
  const row = await reader
    .selectFrom('kycDocument')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('document_not_found');
  return row;
}

export function presentDocuments(
  reader: Reader,
  vault: Vault,
  rows: readonly DocumentRow[],
): Promise<KycDocument[]> {
  return Promise.all(rows.map((row) => presentDocument(reader, vault, row)));
}

export async function presentDocument(
  reader: Reader,
  vault: Vault,
  row: DocumentRow,
): Promise<KycDocument> {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    version: row.version,
    fileName: await openFileName(reader, vault, row),
    width: row.width,
    height: row.height,
    byteSize: row.byteSize,
    rejectionReason: await openRejectionReason(reader, vault, row),
    issuedOn: row.issuedOn,
    uploadedAt: row.uploadedAt.toISOString(),
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
  };
}

/** Null once the image is destroyed. */
export async function openFileName(
  reader: Reader,
  vault: Vault,
  row: DocumentRow,
): Promise<string | null> {
  if (row.fileNameEncrypted === null) return null;
  const place = fileNamePlace(row.id);
  return (await vault.open(reader, row.userId, place, row.fileNameEncrypted)).toString('utf8');
}

/** Null where it was not rejected, and once it is destroyed. */
export async function openRejectionReason(
  reader: Reader,
  vault: Vault,
  row: DocumentRow,
): Promise<string | null> {
  if (row.rejectionReasonEncrypted === null) return null;
  const place = rejectionReasonPlace(row.id);
  return (await vault.open(reader, row.userId, place, row.rejectionReasonEncrypted)).toString(
    'utf8',
  );
}

export function rejectionReasonPlace(documentId: string) {
  return { table: 'kyc_document', column: 'rejection_reason_encrypted', rowId: documentId };
}
