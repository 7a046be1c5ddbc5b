import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { record } from '#server/modules/journal/index.ts';
import { isUnderSecret } from './second-factor/recovery-codes.ts';
import { decryptText, encryptText, isUnderCurrent } from './secrets.ts';
import type { Secrets } from './secrets.ts';

/** Data that former secrets are still needed for. */
export interface SecretUse {
  /** Number of people with an authenticator app; `rotateSecret` moves them. */
  formerApps: number;
  /** Number of people with recovery codes, which are hashes: only their owners can make new ones. */
  formerCodes: number;
}

export async function readSecretUse(reader: Reader, secrets: Secrets): Promise<SecretUse> {
  const rows = await reader.selectFrom('authTwoFactor').select(['secret', 'backupCodes']).execute();
  const apps = rows.filter((row) => readFormer(secrets, row.secret) !== null);
  const codes = rows.filter((row) => !isUnderSecret(row.backupCodes, secrets[0] ?? ''));
  return { formerApps: apps.length, formerCodes: codes.length };
}

/**
 * Encrypts the secrets of authenticator apps under the current (first) secret. May run next to servers
 * that have all the secrets, and be killed and run again. What is under a secret that is not listed is
 * left as it is: nobody can read it.
 *
 * @returns how many were moved
 */
export async function rotateSecret(db: Db, secrets: Secrets): Promise<number> {
  const rows = await db.selectFrom('authTwoFactor').select(['userId', 'secret']).execute();
  let count = 0;
  for (const { userId, secret } of rows) {
    const text = readFormer(secrets, secret);
    if (text === null) continue;
    count += await withTx(db, async (tx) => {
      await lockUser(tx, userId);
      const { numUpdatedRows } = await tx
        .updateTable('authTwoFactor')
        .set({ secret: encryptText(secrets, text) })
        .where('userId', '=', userId)
        // The person may have set up another app in the meantime.
        .where('secret', '=', secret)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) record(tx, { actor: 'system' }, 'sign_in.recorded', { id: userId });
      return Number(numUpdatedRows);
    });
  }
  return count;
}

/** Text that is under a former secret; null for one under the current secret, or under none of them. */
function readFormer(secrets: Secrets, encrypted: string): string | null {
  return isUnderCurrent(secrets, encrypted) ? null : decryptText(secrets, encrypted);
}
