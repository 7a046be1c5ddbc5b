import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { verifiedAddress } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/** Whose documents are made, and when. */
export interface DocumentScope {
  person: { id: string; name: string; employeeId: string | null };
  /** Address of the person, in lines. Empty if no identity is approved, and in documents that others open. */
  address: readonly string[];
  settings: CompanySettings;
  now: Date;
}

/** @throws {AppError} `person_not_found` */
export async function documentScope(
  reader: Reader,
  userId: string,
  now: Date,
): Promise<DocumentScope> {
  const person = await reader
    .selectFrom('appUser')
    .select(['id', 'name', 'employeeNumber as employeeId'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (person === undefined) throw new AppError('person_not_found');
  return { person, address: [], settings: await readSettings(reader), now };
}

/**
 * The scope of documents that the person opens themselves, with their address. An admin reads it in the
 * identity application, where that is recorded.
 */
export async function ownDocumentScope(
  reader: Reader,
  { clock, vault }: Pick<Services, 'clock' | 'vault'>,
  userId: string,
): Promise<DocumentScope> {
  const scope = await documentScope(reader, userId, clock.now());
  return { ...scope, address: await verifiedAddress(reader, { vault }, userId) };
}
