import { passkey } from '@better-auth/passkey';
import { betterAuth } from 'better-auth';
import type { BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import {
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  RESET_LINK_LIFE_MINUTES,
  SECOND_STEP_MINUTES,
  SESSION_LIFE_DAYS,
} from '#contract/limits.ts';
import type { DB } from '#server/db/schema.ts';
import type { Db } from '#server/db/tx.ts';
import { report } from './auth-callbacks.ts';
import { hashPassword, verifyPassword } from './passwords/password-hash.ts';
import { newRecoveryCodes, recoveryCodeStore } from './second-factor/recovery-codes.ts';
import { authSecrets } from './secrets.ts';
import type { Secrets } from './secrets.ts';
import { PASSKEY_COOKIE } from './sessions/session-cookie.ts';
import { startSessionPlugin } from './sessions/start-session.ts';

export interface AuthOptions {
  db: Db;
  /** What `db` stands on. */
  pool: pg.Pool;
  /** The first signs cookies and encrypts second factors; each at least 32 random characters. */
  secrets: Secrets;
  /** Where people reach Purser, `https://pay.example.com`; with https, cookies are Secure. */
  url: string;
  /** Whether an address must be confirmed by mail before its account can be used. */
  confirmsEmail: boolean;
}

/** The header by which we hand Better Auth the address that the HTTP layer found out. */
export const ADDRESS_HEADER = 'x-purser-client-address';
/** What the session hook throws at a deactivated account whose password was right. */
export const DEACTIVATED = 'ACCOUNT_DEACTIVATED';

/**
 * How Better Auth is set up. It is called through `auth.api` by this module alone; its own HTTP
 * handler is not mounted, so limits, origin checks and JSON (its own shows session tokens) are ours
 * to make.
 */
export function authOptions({ db, pool, secrets, url, confirmsEmail }: AuthOptions) {
  const isTls = url.startsWith('https://');
  // Without our camel-case plugin: Better Auth compares column names as the database has them.
  const database = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    appName: 'Purser',
    baseURL: url,
    ...authSecrets(secrets),
    database: { db: database, type: 'postgres', transaction: true },
    telemetry: { enabled: false },
    // It logs addresses; what it refuses reaches us as errors.
    logger: { disabled: true },
    rateLimit: { enabled: false },
    advanced: {
      // `__Host-`: browsers take it from this very host over TLS alone, so that no neighbour on the same
      // domain can plant a session. Better Auth's own switch makes `__Secure-`, which does less.
      cookiePrefix: isTls ? '__Host-purser' : 'purser',
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isTls },
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      disableCSRFCheck: true,
      disableOriginCheck: true,
    },
    user: {
      modelName: 'app_user',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      additionalFields: {
        firstName: { type: 'string', required: true, fieldName: 'first_name' },
        lastName: { type: 'string', required: true, fieldName: 'last_name' },
        // Named so that it can never be given: only an invite changes it.
        role: { type: 'string', required: false, input: false, defaultValue: 'employee' },
        deactivatedAt: { type: 'date', required: false, input: false, fieldName: 'deactivated_at' },
      },
    },
    session: {
      modelName: 'auth_session',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      expiresIn: SESSION_LIFE_DAYS * 86_400,
      disableSessionRefresh: true,
      // How recently a person showed who they are is ours to ask: `confirms` of the operation.
      freshAge: 0,
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'auth_account',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        idToken: 'id_token',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'auth_verification',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed',
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_MIN_LENGTH,
      maxPasswordLength: PASSWORD_MAX_LENGTH,
      requireEmailVerification: confirmsEmail,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: RESET_LINK_LIFE_MINUTES * 60,
      password: {
        async hash(password) {
          const passwordHash = await hashPassword(password);
          report({ passwordHash });
          return passwordHash;
        },
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
      sendResetPassword: async ({ token }) => report({ linkToken: token }),
      onExistingUserSignUp: async ({ user }) => report({ existingUserId: user.id }),
    },
    databaseHooks: {
      session: {
        create: {
          async before({ userId }) {
            if (await isDeactivated(db, userId)) {
              throw new APIError('FORBIDDEN', { code: DEACTIVATED });
            }
          },
        },
      },
    },
    plugins: [
      startSessionPlugin,
      passkeyPlugin(url),
      twoFactor({
        issuer: 'Purser',
        backupCodeOptions: {
          customBackupCodesGenerate: newRecoveryCodes,
          storeBackupCodes: recoveryCodeStore(secrets[0] ?? ''),
        },
        // Wrong codes are counted in rate_limit, for sign-in and confirmations together.
        accountLockout: { enabled: false },
        twoFactorCookieMaxAge: SECOND_STEP_MINUTES * 60,
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'auth_two_factor',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
    ],
  } satisfies BetterAuthOptions;
}

/** Bound to the address of the company: a passkey works on no other, and no page elsewhere can ask for it. */
function passkeyPlugin(url: string) {
  const { hostname, origin } = new URL(url);
  return passkey({
    rpID: hostname,
    rpName: 'Purser',
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    // The plugin does not look whether the device verified its user, which makes it the second factor.
    registration: {
      afterVerification: ({ verification }) => {
        requireVerified(verification.registrationInfo?.userVerified);
      },
    },
    authentication: {
      afterVerification: ({ verification }) => {
        requireVerified(verification.authenticationInfo.userVerified);
      },
    },
    advanced: { webAuthnChallengeCookie: PASSKEY_COOKIE },
    schema: {
      passkey: {
        modelName: 'auth_passkey',
        fields: {
          userId: 'user_id',
          publicKey: 'public_key',
          credentialID: 'credential_id',
          deviceType: 'device_type',
          backedUp: 'backed_up',
          createdAt: 'created_at',
        },
      },
    },
  });
}

function requireVerified(isVerified: boolean | undefined): void {
  if (isVerified !== true) throw new APIError('FORBIDDEN', { code: 'USER_VERIFICATION_REQUIRED' });
}

export type Auth = ReturnType<typeof createAuth>;

export function createAuth(options: AuthOptions) {
  return betterAuth(authOptions(options));
}

async function isDeactivated(db: Db, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom('appUser')
    .select('deactivatedAt')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.deactivatedAt != null;
}
