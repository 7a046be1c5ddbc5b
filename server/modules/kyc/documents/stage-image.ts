import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import type { LookupHash, Place } from '#server/vault/vault.ts';
import type { Services } from '#server/services.ts';
import { cleanFileName } from './file-name.ts';
import type { PreparedImage } from './prepare-image.ts';

/** An image encrypted for its owner, with the name its file will have. */
export interface StagedImage {
  /** The document's id and its file's name. */
  id: string;
  sealed: Buffer;
  /** Columns of the row that will have it. */
  row: Pick<PreparedImage, 'width' | 'height'> & {
    id: string;
    fileId: string;
    fileNameEncrypted: Buffer;
    byteSize: number;
    originalHash: Buffer;
    imageHash: Buffer;
    hashKeyId: string;
  };
}

/** The columns of a row whose image was destroyed. */
const NO_IMAGE = {
  fileId: null,
  fileNameEncrypted: null,
  originalHash: null,
  imageHash: null,
  hashKeyId: null,
} as const;

/** The tables whose rows have an image. */
export type ImageTable = 'kyc_document' | 'deposit_image';

/** Place of a row's image, for the vault. */
export function imagePlace(rowId: string, table: ImageTable = 'kyc_document'): Place {
  return { table, column: 'file', rowId };
}

export function fileNamePlace(rowId: string, table: ImageTable = 'kyc_document'): Place {
  return { table, column: 'file_name_encrypted', rowId };
}

/** The image to encrypt, its owner, and the table of its row. */
export interface NewImage {
  userId: string;
  table?: ImageTable;
  fileName: string;
  image: PreparedImage;
}

/**
 * Encrypts an image under its owner's key and enters the file that is about to be written: should
 * nothing come of it, the sweep finds the file by that. After the commit the caller puts `sealed` in
 * the file store under `id` and then attaches the document.
 */
export async function stageImage(
  tx: Tx,
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  { userId, table = 'kyc_document', fileName, image }: NewImage,
): Promise<StagedImage> {
  const now = clock.now();
  const id = newId(now.getTime());
  await tx.insertInto('kycFile').values({ id, stateSince: now }).execute();
  const { width, height, bytes, originalSha256, imageSha256 } = image;
  const { hash: originalHash, keyId: hashKeyId } = hashOf(vault, originalSha256);
  const name = cleanFileName(fileName);
  return {
    id,
    sealed: await vault.seal(tx, userId, imagePlace(id, table), bytes),
    row: {
      id,
      fileId: id,
      width,
      height,
      byteSize: bytes.length,
      fileNameEncrypted: await vault.seal(tx, userId, fileNamePlace(id, table), name),
      originalHash,
      imageHash: hashOf(vault, imageSha256).hash,
      hashKeyId,
    },
  };
}

function hashOf(vault: Services['vault'], sha256: Buffer): LookupHash {
  return vault.lookupHash('kyc.image', sha256.toString('hex'));
}

/**
 * Keeps the file of an image whose row is written in this transaction: the sweep no longer destroys
 * it.
 */
export async function keepFile(tx: Tx, id: string, now: Date): Promise<void> {
  const kept = await tx
    .updateTable('kycFile')
    .set({ state: 'kept', stateSince: now })
    .where('id', '=', id)
    .where('state', '=', 'staged')
    .returning('id')
    .executeTakeFirst();
  invariant(kept, 'the file was swept before its row was written');
}

/**
 * Forgets all of the images but that they were there. Their files are discarded, and destroyed by the
 * sweep; until then nobody can reach them.
 */
export async function destroyImages(
  tx: Tx,
  table: 'kycDocument' | 'depositImage',
  rows: readonly { id: string; fileId: string | null }[],
  now: Date,
): Promise<void> {
  if (rows.every(({ fileId }) => fileId === null)) return;
  const isDocument = table === 'kycDocument';
  await tx
    // Both tables have these columns; a document can have been rejected too.
    .updateTable(table as 'kycDocument')
    .set({ ...NO_IMAGE, ...(isDocument && { rejectionReasonEncrypted: null }), destroyedAt: now })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  await discardFiles(tx, rows, now);
}

/** Gives files to the sweep to destroy. Their rows name them no longer: nobody can reach them. */
async function discardFiles(
  tx: Tx,
  rows: readonly { fileId: string | null }[],
  now: Date,
): Promise<void> {
  const ids = rows.map(({ fileId }) => fileId).filter((id) => id !== null);
  if (ids.length === 0) return;
  await tx
    .updateTable('kycFile')
    .set({ state: 'discarded', stateSince: now })
    .where('id', 'in', ids)
    .execute();
}
