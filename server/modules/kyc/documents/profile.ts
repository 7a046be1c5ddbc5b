import type { Selectable } from 'kysely';
import type { KycDocument, Verification } from '#contract/api.ts';
import type { DB } from '#server/db/schema.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import type { Vault } from '#server/vault/vault.ts';
import type { Services } from '#server/services.ts';
import { presentDocuments, walletDocuments } from './documents.ts';
import { profileStateOf } from './rules.ts';

export type ProfileRow = Selectable<DB['kycProfile']>;

/** The person's profile; undefined as long as they have uploaded nothing. */
export function findProfile(reader: Reader, userId: string): Promise<ProfileRow | undefined> {
  return reader
    .selectFrom('kycProfile')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/**
 * Brings a person's verification profile in line with their documents. The caller has locked the
 * person, so that two concurrent changes do not each overlook the other's.
 */
export async function recomputeProfile(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  userId: string,
): Promise<{ before: ProfileRow | undefined; after: ProfileRow }> {
  const before = await findProfile(tx, userId);
  const documents = await walletDocuments(tx, userId);
  const state = profileStateOf(documents);
  const now = clock.now();
  const since = (status: string, known: Date | null | undefined) =>
    state.status === status ? (known ?? now) : null;
  const columns = {
    ...state,
    verifiedAt: since('verified', before?.verifiedAt),
    rejectedAt: since('rejected', before?.rejectedAt),
    updatedAt: now,
  };
  const after = await tx
    .insertInto('kycProfile')
    .values({ id: newId(now.getTime()), userId, ...columns })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(columns))
    .returningAll()
    .executeTakeFirstOrThrow();
  return { before, after };
}

/** The profile in words; one that was never begun reads as not started. */
export async function presentVerification(
  reader: Reader,
  vault: Vault,
  userId: string,
): Promise<Verification> {
  const row = await findProfile(reader, userId);
  const documents = await presentDocuments(reader, vault, await walletDocuments(reader, userId));
  return {
    status: row?.status ?? 'not_started',
    completionPercentage: row?.completionPercentage ?? 0,
    submittedAt: row?.submittedAt?.toISOString() ?? null,
    verifiedAt: row?.verifiedAt?.toISOString() ?? null,
    rejectedAt: row?.rejectedAt?.toISOString() ?? null,
    rejectionReason: newestReason(documents),
    updatedAt: row?.updatedAt.toISOString() ?? null,
    documents,
  };
}

/** Why the newest of those that are rejected was. */
function newestReason(documents: readonly KycDocument[]): string | null {
  const rejected = documents.filter(({ status }) => status === 'rejected');
  const [newest] = rejected.toSorted((a, b) => b.uploadedAt.localeCompare(a.uploadedAt));
  return newest?.rejectionReason ?? null;
}
