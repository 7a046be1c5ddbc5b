import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Db, Reader } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { isUnderSecret } from './second-factor/recovery-codes.ts';
import { secretVersion } from './secrets.ts';
import type { Secrets } from './secrets.ts';

/** What former secrets are still needed for. */
export interface SecretUse {
  /** How many people's authenticator apps; `rotateSecret` moves them. */
  formerApps: number;
  /** How many people have recovery codes, which are hashes: only their owners can make new ones. */
  formerCodes: number;
}

export async function readSecretUse(reader: Reader, secrets: Secrets): Promise<SecretUse> {
  const rows = await reader.selectFrom('authTwoFactor').select(['secret', 'backupCodes']).execute();
  const apps = rows.filter((row) => needsFormer(row.secret, secrets));
  const codes = rows.filter((row) => !isUnderSecret(row.backupCodes, secrets[0] ?? ''));
  return { formerApps: apps.length, formerCodes: codes.length };
}

/**
 * Encrypts the secrets of authenticator apps under the current (first) secret. May run beside servers
 * that have all the secrets, and be killed and run again. What is under a secret that is not listed is
 * left as it is: nobody can read it.
 *
 * @returns how many were moved
 */
export async function rotateSecret(db: Db, secrets: Secrets): Promise<number> {
  const rows = await db.selectFrom('authTwoFactor').select(['userId', 'secret']).execute();
  let count = 0;
  for (const { userId, secret } of rows) {
    if (!needsFormer(secret, secrets)) continue;
    const moved = await encryptAgain(secret, secrets);
    if (moved === null) continue;
    const { numUpdatedRows } = await withTx(db, (tx) =>
      tx
        .updateTable('authTwoFactor')
        .set({ secret: moved })
        .where('userId', '=', userId)
        // The person may have set up another app meanwhile.
        .where('secret', '=', secret)
        .executeTakeFirst(),
    );
    count += Number(numUpdatedRows);
  }
  return count;
}

/** Whether it is under another secret of the list than the first, or from before versions were kept. */
function needsFormer(encrypted: string, [current = '', ...former]: Secrets): boolean {
  const version = parseEnvelope(encrypted)?.version;
  if (version === undefined) return true;
  return (
    version !== secretVersion(current) && former.some((secret) => secretVersion(secret) === version)
  );
}

async function encryptAgain(encrypted: string, secrets: Secrets): Promise<string | null> {
  const [current = ''] = secrets;
  const { version, ciphertext } = parseEnvelope(encrypted) ?? { ciphertext: encrypted };
  const candidates =
    version === undefined ? secrets : secrets.filter((secret) => secretVersion(secret) === version);
  const keys = new Map([[secretVersion(current), current]]);
  for (const key of candidates) {
    const data = await symmetricDecrypt({ key, data: ciphertext }).catch(() => null);
    if (data === null) continue;
    return symmetricEncrypt({ key: { keys, currentVersion: secretVersion(current) }, data });
  }
  return null;
}
