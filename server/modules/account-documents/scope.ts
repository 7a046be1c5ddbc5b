import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { verifiedAddress } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/** Person whose documents are made, and the time. */
export interface DocumentScope {
  person: { id: string; name: string; employeeId: string | null };
  /**
   * Address of the person, in lines. Empty without an approved identity, and in documents that
   * others open.
   */
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
 * Scope of documents that the person opens, with their address. An admin reads the address in the
 * identity application, where that access is recorded.
 */
export async function ownDocumentScope(
  reader: Reader,
  { clock, vault }: Pick<Services, 'clock' | 'vault'>,
  userId: string,
): Promise<DocumentScope> {
  const scope = await documentScope(reader, userId, clock.now());
  return { ...scope, address: await verifiedAddress(reader, { vault }, userId) };
}
