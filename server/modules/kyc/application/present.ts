import { createHash } from 'node:crypto';
import { kycAnswers } from '#contract/routes/kyc-answers.ts';
import type { KycApplication } from '#contract/routes/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Vault } from '#server/vault/vault.ts';
import { openAnswers } from './answers.ts';
import { applicationDocuments, presentDocuments } from '../documents/documents.ts';
import { NO_WORDS, readHistory } from './history.ts';
import type { ApplicationRow } from './history.ts';

/** The application in words its owner and the review desk may read: decrypted, with its history. */
export async function presentApplication(
  reader: Reader,
  vault: Vault,
  row: ApplicationRow,
): Promise<KycApplication> {
  const names = kycAnswers.keyof();
  const { status } = row;
  const history = await readHistory(reader, vault, row);
  const last = history.at(-1) ?? NO_WORDS;
  return {
    id: row.id,
    userId: row.userId,
    status,
    version: row.version,
    answers: await openAnswers(reader, vault, row),
    answered: row.answered.map((name) => names.parse(name)),
    securityAnswerMark: markOf(row.securityAnswerHash),
    documents: await presentDocuments(reader, vault, await applicationDocuments(reader, row.id)),
    resubmissionNotes: status === 'resubmit_required' ? last.notes : null,
    resubmissionItems: status === 'resubmit_required' ? last.items : [],
    rejectionReason: status === 'rejected' ? last.notes : null,
    submittedAt: row.submittedAt?.toISOString() ?? null,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    history,
  };
}

/** Length of the keyed hash, which without the key cannot be made from any answer. */
function markOf(securityAnswerHash: Buffer | null): string | null {
  if (securityAnswerHash === null) return null;
  return createHash('sha256').update(securityAnswerHash).digest('base64url').slice(0, 12);
}
