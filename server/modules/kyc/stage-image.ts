import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import type { LookupHash } from '#server/vault/vault.ts';
import type { Services } from '#server/services.ts';
import { cleanFileName } from './file-name.ts';
import type { PreparedImage } from './prepare-image.ts';

/** An image encrypted for its owner, with the name its file will have. */
export interface StagedImage {
  /** The document's id and its file's name. */
  id: string;
  sealed: Buffer;
  sealedFileName: Buffer;
  image: Pick<PreparedImage, 'width' | 'height'> & { byteSize: number };
  original: LookupHash;
  content: LookupHash;
}

/** Where a document's image rests, for the vault. */
export function imagePlace(documentId: string) {
  return { table: 'kyc_document', column: 'file', rowId: documentId };
}

export function fileNamePlace(documentId: string) {
  return { table: 'kyc_document', column: 'file_name_encrypted', rowId: documentId };
}

/**
 * Encrypts an image under its owner's key and enters the file that is about to be written: should
 * nothing come of it, the sweep finds the file by that. After the commit the caller puts `sealed` in
 * the file store under `id` and then attaches the document.
 */
export async function stageImage(
  tx: Tx,
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  { userId, fileName, image }: { userId: string; fileName: string; image: PreparedImage },
): Promise<StagedImage> {
  const now = clock.now();
  const id = newId(now.getTime());
  await tx.insertInto('kycFile').values({ id, stateSince: now }).execute();
  return {
    id,
    sealed: await vault.seal(tx, userId, imagePlace(id), image.bytes),
    sealedFileName: await vault.seal(tx, userId, fileNamePlace(id), cleanFileName(fileName)),
    image: { width: image.width, height: image.height, byteSize: image.bytes.length },
    original: hashOf(vault, image.originalSha256),
    content: hashOf(vault, image.imageSha256),
  };
}

function hashOf(vault: Services['vault'], sha256: Buffer): LookupHash {
  return vault.lookupHash('kyc.image', sha256.toString('hex'));
}
