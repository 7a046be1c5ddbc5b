import { appCodeOf } from '#contract/identity.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { AttemptKind } from '../attempts.ts';
import type { Identity } from '../identity.ts';
import { adviceToPerson } from '../queries.ts';
import { decryptText } from '../secrets.ts';
import { isKnownBrowser } from '../sessions/known-places.ts';
import { isAppCode } from './app-code.ts';
import { countRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts';

interface Given {
  userId: string;
  /** As it was typed: six digits from the app, or else a recovery code. */
  code: string;
  /** Token of the sign-in that waits for it, which ends after a few wrong ones. */
  signIn?: string;
  /** Result of `browserKeyOf`. */
  browser: string | null;
  /** Origin of the request. */
  by: AuditContext;
}

/**
 * Checks a second factor. A browser that has signed in to the account before has attempts of its own, so that whoever
 * has the password and guesses codes does not keep the owner out. A code of the app works once, however long it is shown; a recovery code is used
 * up, and of two requests with it at the same time one is refused.
 *
 * @throws {AppError} `code_invalid`, `sign_in_expired`, `two_factor_is_off`, `too_many_requests`
 */
export async function checkSecondFactor(
  { attempts, db, secrets, services }: Identity,
  { userId, code, signIn, browser, by }: Given,
): Promise<void> {
  const appCode = appCodeOf(code);
  const counted: [AttemptKind, string] =
    browser !== null && (await isKnownBrowser(db, { userId, browser }))
      ? ['codeFromKnownBrowser', `${userId} ${browser}`]
      : [appCode === undefined ? 'recoveryCodeOfAccount' : 'codeOfAccount', userId];
  await attempts.spend(...counted);
  if (signIn !== undefined) await attempts.spend('codeOfSignIn', signIn, 'sign_in_expired');
  if (appCode !== undefined) {
    // Whoever watched a code being typed cannot use it, too (RFC 6238, 5.2).
    await attempts.spend('sameCode', `${userId} ${appCode}`, 'code_invalid');
  }
  await withTx(db, async (tx) => {
    // A used recovery code changes how the person signs in; a code of the app does not.
    if (appCode === undefined) await lockUser(tx, userId);
    const kept = await tx
      .selectFrom('authTwoFactor')
      .select(['secret', 'backupCodes'])
      .where('userId', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (kept === undefined) throw new AppError('two_factor_is_off');
    const at = services.clock.now();
    const use = tx
      .updateTable('authTwoFactor')
      .set({ lastUsedAt: at })
      .where('userId', '=', userId);
    if (appCode !== undefined) {
      const secret = invariant(decryptText(secrets, kept.secret), 'the secret of an app is lost');
      if (!isAppCode(secret, appCode, at.getTime())) throw new AppError('code_invalid');
      await use.execute();
      return;
    }
    const left = spendRecoveryCode(secrets, kept.backupCodes, code);
    if (left === null) throw new AppError('code_invalid');
    await use.set({ backupCodes: left }).execute();
    await recordRecoveryCode(tx, by, { userId, left: countRecoveryCodes(left), at });
  });
  await attempts.forgive(...counted);
}

async function recordRecoveryCode(
  tx: Tx,
  by: AuditContext,
  { userId, left, at }: { userId: string; left: number; at: Date },
): Promise<void> {
  const advice = await adviceToPerson(tx, userId);
  record(tx, by, 'two_factor.recovery_code_used', {
    id: userId,
    at,
    details: { left },
    words: { left: left === 1 ? '1 is' : `${left} are`, advice },
  });
}
