import { isAPIError } from 'better-auth/api';
import { appCodeOf } from '#contract/identity.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { DEACTIVATED } from '../auth.ts';
import { refusalOf } from '../auth-refusal.ts';
import type { Identity } from '../identity.ts';
import { countRecoveryCodes, findRecoveryCode } from './recovery-codes.ts';
import { secretsOf } from '../secrets.ts';
import { warnOwner } from '../warn-owner.ts';

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  INVALID_CODE: 'code_invalid',
  INVALID_BACKUP_CODE: 'code_invalid',
  INVALID_TWO_FACTOR_COOKIE: 'sign_in_expired',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'sign_in_expired',
  TOTP_NOT_ENABLED: 'two_factor_is_off',
  BACKUP_CODES_NOT_ENABLED: 'two_factor_is_off',
  [DEACTIVATED]: 'account_deactivated',
};

interface Given {
  userId: string;
  /** As it was typed: six digits from the app, or else a recovery code. */
  code: string;
  /** With the cookie of the session, or of the sign-in that waits. */
  headers: Headers;
}

/**
 * Checks a second factor by Better Auth, which at sign-in starts the session. A code of the app works
 * once, however long it is shown; a recovery code is used up.
 *
 * @throws {AppError} `code_invalid`, `sign_in_expired`, `two_factor_is_off`, `too_many_requests`
 */
export async function checkSecondFactor(
  identity: Identity,
  { userId, code, headers }: Given,
): Promise<{ cookies: readonly string[] }> {
  const { auth, attempts } = identity;
  await attempts.spend('codeOfAccount', userId);
  const appCode = appCodeOf(code);
  if (appCode !== undefined) await refuseRepeated(identity, userId, appCode);
  const call =
    appCode === undefined
      ? auth.api.verifyBackupCode({
          body: { code: await keptRecoveryCode(identity, userId, code) },
          headers,
          returnHeaders: true,
        })
      : auth.api.verifyTOTP({ body: { code: appCode }, headers, returnHeaders: true });
  const checked = await call.catch((error: unknown) => {
    // Of two at once with one recovery code, the second finds it used.
    const isUsed = isAPIError(error) && error.statusCode === 409;
    const refusal = isUsed ? 'code_invalid' : REFUSALS[refusalOf(error) ?? ''];
    throw refusal === undefined ? error : new AppError(refusal);
  });
  await attempts.forgive('codeOfAccount', userId);
  await withTx(identity.db, async (tx) => {
    const at = identity.services.clock.now();
    const kept = await tx
      .updateTable('authTwoFactor')
      .set({ lastUsedAt: at })
      .where('userId', '=', userId)
      .returning('backupCodes')
      .executeTakeFirst();
    if (appCode === undefined && kept !== undefined) {
      await warnOfRecoveryCode(tx, { userId, kept: kept.backupCodes, at });
    }
  });
  return { cookies: checked.headers.getSetCookie() };
}

async function warnOfRecoveryCode(
  tx: Tx,
  { userId, kept, at }: { userId: string; kept: string; at: Date },
): Promise<void> {
  const owner = await tx
    .selectFrom('appUser')
    .select(['id', 'role'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const left = countRecoveryCodes(kept);
  warnOwner(tx, owner, {
    kind: 'recovery-code-used',
    what: `A recovery code was used instead of your app. ${left === 1 ? '1 is' : `${left} are`} left`,
    at,
  });
}

async function keptRecoveryCode(
  { auth, db }: Identity,
  userId: string,
  typed: string,
): Promise<string> {
  const row = await db
    .selectFrom('authTwoFactor')
    .select('backupCodes')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return findRecoveryCode(await secretsOf(auth), row?.backupCodes ?? '[]', typed);
}

/** Whoever watched a code being typed cannot use it, too (RFC 6238, 5.2). */
async function refuseRepeated(
  { attempts }: Identity,
  userId: string,
  appCode: string,
): Promise<void> {
  await attempts.spend('sameCode', `${userId} ${appCode}`).catch((error: unknown) => {
    const isRepeated = error instanceof AppError && error.code === 'too_many_requests';
    throw isRepeated ? new AppError('code_invalid') : error;
  });
}
