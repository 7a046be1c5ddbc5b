import { sql } from 'kysely';
import type { PayoutContext } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';

/** What a payout would touch. */
interface Payout {
  userId: string;
  bankAccountId: string;
  /** The wallet that it leaves; without one, what is free in all of them is read. */
  walletId?: string;
}

/**
 * What an admin should know of a person before money can leave for one of their bank accounts: what they
 * have, when account and password were changed, what was paid before.
 *
 * @param refuse throws what would refuse this admin the next step; its sentence is shown beforehand
 */
export async function readPayoutContext(
  reader: Reader,
  { userId, bankAccountId, walletId }: Payout,
  refuse: () => void | Promise<void>,
): Promise<PayoutContext> {
  const { timeZone } = await readSettings(reader);
  const { accounts, totalAssets } = await listWallets(reader, userId);
  const wallet = accounts.find(({ id }) => id === walletId);
  const { rows } = await sql<{
    deactivatedAt: Date | null;
    frozenAt: Date | null;
    passwordChangedAt: Date | null;
    changedAt: Date;
    isBankNew: boolean;
    paid: number;
    firstAt: Date | null;
    returned: number;
  }>`
    SELECT owner.deactivated_at, owner.payouts_frozen_at AS frozen_at,
           -- A first password was not changed.
           greatest(owner.password_reset_at,
                    (SELECT max(updated_at) FROM auth_account
                      WHERE user_id = owner.id AND provider_id = 'credential'
                        AND updated_at > created_at + interval '1 minute')) AS password_changed_at,
           bank_account.submitted_at AS changed_at,
           bank_account.submitted_at = bank_account.created_at AS is_bank_new, past.paid, past.first_at, past.returned
      FROM bank_account
      JOIN app_user AS owner ON owner.id = bank_account.user_id,
           (SELECT count(*) FILTER (WHERE status = 'completed')::int AS paid,
                   min(completed_at) FILTER (WHERE status = 'completed') AS first_at,
                   count(*) FILTER (WHERE status = 'returned')::int AS returned
              FROM withdrawal
             WHERE user_id = ${userId} AND bank_account_id = ${bankAccountId}) AS past
     WHERE bank_account.id = ${bankAccountId}`.execute(reader);
  const row = invariant(rows[0], `no bank account ${bankAccountId}`);
  return {
    available: wallet?.available ?? totalAssets,
    held: wallet?.held ?? money(heldIn(accounts), totalAssets.currency),
    isIdentityApproved: await isIdentityApproved(reader, userId),
    isDeactivated: row.deactivatedAt !== null,
    frozenAt: row.frozenAt?.toISOString() ?? null,
    bankChangedAt: row.changedAt.toISOString(),
    isBankNew: row.isBankNew,
    passwordChangedAt: row.passwordChangedAt?.toISOString() ?? null,
    paid: row.paid,
    since: row.firstAt === null ? null : Number(dayIn(timeZone, row.firstAt).slice(0, 4)),
    returned: row.returned,
    refusal: await sentenceOf(refuse),
  };
}

function heldIn(accounts: readonly { held: { minor: string } }[]): bigint {
  return accounts.reduce((sum, { held }) => sum + BigInt(held.minor), 0n);
}

/** What it refuses with; null where it does not. */
async function sentenceOf(refuse: () => void | Promise<void>): Promise<string | null> {
  try {
    await refuse();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
