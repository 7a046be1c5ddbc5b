import type { Selectable } from 'kysely';
import type { CheckImage } from '#contract/api.ts';
import type { DB } from '#server/db/schema.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Vault } from '#server/vault/vault.ts';
import { fileNamePlace } from '#server/modules/kyc/index.ts';

export type ImageRow = Selectable<DB['depositImage']>;

/** The photographs of a deposit's check that are in use and still there, front first. */
export function currentImages(reader: Reader, depositId: string): Promise<ImageRow[]> {
  return reader
    .selectFrom('depositImage')
    .selectAll()
    .where('depositId', '=', depositId)
    .where('replacedAt', 'is', null)
    .where('destroyedAt', 'is', null)
    .orderBy('side', 'desc')
    .execute();
}

export function presentImages(
  reader: Reader,
  vault: Vault,
  rows: readonly ImageRow[],
): Promise<CheckImage[]> {
  return Promise.all(rows.map((row) => presentImage(reader, vault, row)));
}

export async function presentImage(
  reader: Reader,
  vault: Vault,
  row: ImageRow,
): Promise<CheckImage> {
  return {
    id: row.id,
    side: row.side,
    fileName: await openImageName(reader, vault, row),
    width: row.width,
    height: row.height,
    byteSize: row.byteSize,
    uploadedAt: row.uploadedAt.toISOString(),
  };
}

/** File name from the owner's device; a plain name once that is destroyed. */
export async function openImageName(reader: Reader, vault: Vault, row: ImageRow): Promise<string> {
  if (row.fileNameEncrypted === null) return 'check.jpg';
  const place = fileNamePlace(row.id, 'deposit_image');
  return (await vault.open(reader, row.userId, place, row.fileNameEncrypted)).toString('utf8');
}
