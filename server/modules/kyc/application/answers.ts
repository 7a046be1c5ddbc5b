import type { KycRequiredField } from '#contract/kyc.ts';
import type { KycAnswers, KycAnswersPatch } from '#contract/routes/kyc-answers.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { Vault } from '#server/vault/vault.ts';

/** Answers stored encrypted: all but the security answer, of which a keyed hash is kept. */
export type StoredAnswers = Partial<Omit<KycAnswers, typeof SECURITY_ANSWER>>;

export const SECURITY_ANSWER = 'securityAnswerHash' satisfies KycRequiredField;

interface SealedAnswers {
  id: string;
  userId: string;
  answersEncrypted: Buffer | null;
}

function placeOf(rowId: string) {
  return { table: 'kyc_application', column: 'answers_encrypted', rowId };
}

/** The answers in clear; none yet is an empty object. */
export async function openAnswers(
  reader: Reader,
  vault: Vault,
  row: SealedAnswers,
): Promise<StoredAnswers> {
  if (row.answersEncrypted === null) return {};
  const plain = await vault.open(reader, row.userId, placeOf(row.id), row.answersEncrypted);
  return JSON.parse(plain.toString('utf8')) as StoredAnswers;
}

export function sealAnswers(
  tx: Tx,
  vault: Vault,
  row: Pick<SealedAnswers, 'id' | 'userId'>,
  answers: StoredAnswers,
): Promise<Buffer> {
  return vault.seal(tx, row.userId, placeOf(row.id), JSON.stringify(answers));
}

export type AnswerChanges = Omit<KycAnswersPatch, typeof SECURITY_ANSWER>;

/** `saved` with the changes: what they set to null is gone, what they leave out stays. */
export function mergeAnswers(saved: StoredAnswers, changes: AnswerChanges): StoredAnswers {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...saved, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
