import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { KYC_DECISIONS, KYC_STATUSES } from '#contract/kyc.ts';
import type { KycStatus } from '#contract/kyc.ts';
import { kycAnswers } from '#contract/routes/kyc-answers.ts';
import { resubmissionItem } from '#contract/routes/kyc.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { DB } from '#server/db/schema.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import type { Vault } from '#server/lib/vault.ts';
import { openAnswers } from './answers.ts';
import { applicationDocuments, presentDocuments } from './documents.ts';

const resubmissionItems = resubmissionItem.array();

export type ApplicationRow = Selectable<DB['kycApplication']>;

/** The table's check allows exactly these. */
export function asKycStatus(status: string): KycStatus {
  return invariant(
    KYC_STATUSES.find((one) => one === status),
    `unknown application status ${status}`,
  );
}

/** The application in words its owner and the review desk may read: decrypted, with its history. */
export async function presentApplication(
  reader: Reader,
  vault: Vault,
  row: ApplicationRow,
): Promise<KycApplication> {
  const names = kycAnswers.keyof();
  return {
    id: row.id,
    userId: row.userId,
    status: asKycStatus(row.status),
    version: row.version,
    answers: await openAnswers(reader, vault, row),
    answered: row.answered.map((name) => names.parse(name)),
    securityAnswerMark: markOf(row.securityAnswerHash),
    documents: await presentDocuments(reader, vault, await applicationDocuments(reader, row.id)),
    resubmissionNotes: row.resubmissionNotes,
    resubmissionItems: resubmissionItems.parse(row.resubmissionItems),
    rejectionReason: row.rejectionReason,
    submittedAt: row.submittedAt?.toISOString() ?? null,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    history: await readHistory(reader, row.id),
  };
}

/** Of the keyed hash, which without the key cannot be made from any answer. */
function markOf(securityAnswerHash: Buffer | null): string | null {
  if (securityAnswerHash === null) return null;
  return createHash('sha256').update(securityAnswerHash).digest('base64url').slice(0, 12);
}

async function readHistory(
  reader: Reader,
  applicationId: string,
): Promise<KycApplication['history']> {
  const rows = await reader
    .selectFrom('kycAction')
    .innerJoin('appUser', 'appUser.id', 'kycAction.actorId')
    .select(['kycAction.action', 'kycAction.notes', 'kycAction.createdAt', 'appUser.name'])
    .where('kycAction.applicationId', '=', applicationId)
    .orderBy('kycAction.applicationVersion')
    .execute();
  return rows.map((row) => ({
    action: invariant(
      KYC_DECISIONS.find((one) => one === row.action),
      `unknown decision ${row.action}`,
    ),
    by: row.name,
    notes: row.notes,
    at: row.createdAt.toISOString(),
  }));
}
