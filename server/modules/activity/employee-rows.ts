import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Department } from '#contract/company.ts';
import type { Role } from '#contract/identity.ts';
import type { KycStatus } from '#contract/kyc.ts';
import type { EmployeeStanding } from '#contract/statuses.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { standingOf } from '#server/modules/identity/index.ts';

/**
 * Condition that the person of a row of `app_user` has chosen a password. It is not written as NOT of its opposite: of a
 * double negation PostgreSQL makes no join, and so could not begin with the few who have one.
 */
export const HAS_PASSWORD: RawBuilder<boolean> = sql<boolean>`EXISTS (
  SELECT FROM auth_account
   WHERE auth_account.user_id = app_user.id AND auth_account.password IS NOT NULL)`;

/** True if the person of a row of `app_user` was added and has chosen no password yet. */
export const HAS_NO_PASSWORD: RawBuilder<boolean> = sql<boolean>`(NOT ${HAS_PASSWORD})`;

/** Status of `latest`, the newest application; null for a person who never signed in and so began none. */
const SHOWN_KYC_STATUS = sql<KycStatus | null>`
  CASE WHEN latest.status = 'in_progress' AND ${HAS_NO_PASSWORD} THEN NULL ELSE latest.status END`;

/** A person as the directory shows them. */
export interface EmployeeRow {
  id: string;
  name: string;
  email: string;
  role: Role;
  employeeNumber: string | null;
  department: Department;
  position: string;
  avatarId: string | null;
  acceptedAt: Date | null;
  deactivatedAt: Date | null;
  hasNoPassword: boolean;
  kycStatus: KycStatus | null;
  openAccounts: number;
  /** Total of all open accounts. */
  balanceMinor: bigint;
  availableMinor: bigint;
  /** Number of the first open wallet, the salary wallet if it is open. */
  walletType: WalletType | null;
  walletLast4: string | null;
}

/** These people as they are shown, in any order: one statement, however many they are. */
export async function readEmployeeRows(
  reader: Reader,
  ids: readonly string[],
): Promise<EmployeeRow[]> {
  const { rows } = await sql<EmployeeRow>`
    SELECT app_user.id, app_user.name, app_user.email, app_user.role, app_user.employee_number,
           app_user.department, app_user.position, app_user.accepted_at, app_user.deactivated_at,
           avatar.id AS avatar_id,
           ${HAS_NO_PASSWORD} AS has_no_password, ${SHOWN_KYC_STATUS} AS kyc_status,
           accounts.open_accounts, accounts.balance_minor, accounts.available_minor,
           first.type AS wallet_type,
           first.last4 AS wallet_last4
      FROM app_user
      LEFT JOIN avatar ON avatar.user_id = app_user.id
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS open_accounts,
              coalesce(sum(account.posted), 0)::bigint AS balance_minor,
              coalesce(sum(account.posted - account.held), 0)::bigint AS available_minor
         FROM wallet JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
        WHERE wallet.user_id = app_user.id AND wallet.closed_at IS NULL) AS accounts
      LEFT JOIN LATERAL (
       SELECT type, last4 FROM wallet
        WHERE wallet.user_id = app_user.id AND wallet.closed_at IS NULL
        ORDER BY (type = 'salary') DESC, created_at, id LIMIT 1) AS first ON true
      LEFT JOIN LATERAL (
       SELECT status FROM kyc_application
        WHERE kyc_application.user_id = app_user.id
        ORDER BY (status = 'rejected'), created_at DESC, id DESC LIMIT 1) AS latest ON true
     WHERE app_user.id = ANY (${ids}::uuid[])`.execute(reader);
  return rows;
}

/** Standing of an employee in the directory. */
export function standingInList(
  row: Pick<EmployeeRow, 'acceptedAt' | 'deactivatedAt' | 'hasNoPassword'>,
): EmployeeStanding {
  const standing = standingOf(row);
  return standing === 'active' && row.hasNoPassword ? 'invited' : standing;
}
