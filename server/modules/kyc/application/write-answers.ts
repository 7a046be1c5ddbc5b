import type { Tx } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import type { Vault } from '#server/vault/vault.ts';
import { SECURITY_ANSWER, mergeAnswers, openAnswers, sealAnswers } from './answers.ts';
import type { AnswerChanges, StoredAnswers } from './answers.ts';
import type { ApplicationRow } from './history.ts';

interface WrittenAnswers {
  changes: AnswerChanges;
  /** The browser's SHA-256; undefined keeps the one there is, null removes it. */
  securityAnswer?: string | null | undefined;
  /** Names of the saved answers that no record of the audit trail names yet. */
  unrecordedFields: readonly string[];
}

/** Merges the changes into a locked application and seals the whole again, with fresh lookup hashes. */
export async function writeAnswers(
  tx: Tx,
  services: Services,
  row: ApplicationRow,
  { changes, securityAnswer, unrecordedFields }: WrittenAnswers,
): Promise<ApplicationRow> {
  const { vault, clock } = services;
  const answers = mergeAnswers(await openAnswers(tx, vault, row), changes);
  const security = securityColumns(vault, row, securityAnswer);
  const names = Object.keys(answers);
  if (security.securityAnswerHash !== null) names.push(SECURITY_ANSWER);
  return tx
    .updateTable('kycApplication')
    .set({
      answersEncrypted: await sealAnswers(tx, vault, row, answers),
      ...lookupColumns(vault, answers),
      ...security,
      answered: names,
      unrecordedFields: [...unrecordedFields],
      version: row.version + 1,
      updatedAt: clock.now(),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

type LookupColumns = Pick<
  ApplicationRow,
  'idNumberHash' | 'phoneHash' | 'addressHash' | 'hashKeyId'
>;

function lookupColumns(vault: Vault, answers: StoredAnswers): LookupColumns {
  const hashOf = (purpose: string, value: string | null) =>
    value === null ? null : vault.lookupHash(purpose, value);
  const idNumber = hashOf('kyc.id-number', idNumberValue(answers));
  const phone = hashOf('kyc.phone', phoneValue(answers));
  const address = hashOf('kyc.address', addressValue(answers));
  return {
    idNumberHash: idNumber?.hash ?? null,
    phoneHash: phone?.hash ?? null,
    addressHash: address?.hash ?? null,
    hashKeyId: (idNumber ?? phone ?? address)?.keyId ?? null,
  };
}

type SecurityColumns = Pick<ApplicationRow, 'securityAnswerHash' | 'securityAnswerKeyId'>;

/** Hashed together with the person's id, so that equal answers of two people do not look equal. */
function securityColumns(
  vault: Vault,
  row: ApplicationRow,
  answer: string | null | undefined,
): SecurityColumns {
  if (answer === undefined) {
    const { securityAnswerHash, securityAnswerKeyId } = row;
    return { securityAnswerHash, securityAnswerKeyId };
  }
  if (answer === null) return { securityAnswerHash: null, securityAnswerKeyId: null };
  const { hash, keyId } = vault.lookupHash('kyc.security-answer', `${row.userId}:${answer}`);
  return { securityAnswerHash: hash, securityAnswerKeyId: keyId };
}

/**
 * Normal form of a value before it is hashed to find equal values, so that spaces, case
 * and punctuation make no two of one. Null where the answer is missing or holds nothing to compare.
 */
export function idNumberValue({ idNumber }: StoredAnswers): string | null {
  return lettersAndDigits(idNumber);
}

/** Digits alone; a US number with its country code is the same as without. */
export function phoneValue({ phoneNumber }: StoredAnswers): string | null {
  const digits = phoneNumber?.replaceAll(/\D/g, '') ?? '';
  if (digits === '') return null;
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** Street, city and postal code together; one of them alone is nobody's address. */
export function addressValue(answers: StoredAnswers): string | null {
  const street = [answers.addressLine1, answers.addressLine2].join(' ');
  const parts = [street, answers.city, answers.postalCode].map(lettersAndDigits);
  return parts.includes(null) ? null : parts.join('|');
}

function lettersAndDigits(text: string | undefined): string | null {
  const kept = (text ?? '')
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return kept === '' ? null : kept;
}
