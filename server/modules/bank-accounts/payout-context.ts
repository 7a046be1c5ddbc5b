import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { PayoutContext } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';

/** A payout that an admin is about to decide on. */
interface Payout {
  userId: string;
  /** The wallet that it leaves; without one, what is free in all of them is read. */
  walletId?: string;
  /** SQL of `pastOfBankAccount`, or of another destination with the same columns. */
  destination: RawBuilder<unknown>;
  /** Sentence with which the next step would be refused to this admin; null if it would not. */
  refusal: string | null;
}

/** SQL of a bank account as the destination of a payout: when it was changed, and what was paid to it. */
export function pastOfBankAccount({
  id,
  userId,
}: {
  id: string;
  userId: string;
}): RawBuilder<unknown> {
  return sql`
    SELECT submitted_at AS changed_at, submitted_at = created_at AS is_new, past.*
      FROM bank_account,
           (SELECT count(*) FILTER (WHERE status = 'completed')::int AS paid,
                   min(moved_at) FILTER (WHERE status = 'completed') AS first_at,
                   count(*) FILTER (WHERE status = 'returned')::int AS returned
              FROM withdrawal WHERE user_id = ${userId} AND bank_account_id = ${id}) AS past
     WHERE bank_account.id = ${id}`;
}

/**
 * Facts about a person that an admin should know before their money can leave: the available amount, the last
 * change of the destination and of the password, and earlier payouts to it.
 */
export async function readPayoutContext(
  reader: Reader,
  { userId, walletId, destination, refusal }: Payout,
): Promise<PayoutContext> {
  const { timeZone } = await readSettings(reader);
  const { accounts, totalAssets } = await listWallets(reader, userId);
  const wallet = accounts.find(({ id }) => id === walletId);
  const { rows } = await sql<{
    deactivatedAt: Date | null;
    frozenAt: Date | null;
    passwordChangedAt: Date | null;
    changedAt: Date;
    isNew: boolean;
    paid: number;
    firstAt: Date | null;
    returned: number;
  }>`
    SELECT owner.deactivated_at, owner.payouts_frozen_at AS frozen_at,
           -- A first password was not changed.
           greatest(owner.password_reset_at,
                    (SELECT max(updated_at) FROM auth_account
                      WHERE user_id = owner.id AND updated_at > created_at + interval '1 minute')) AS password_changed_at,
           destination.*
      FROM app_user AS owner, (${destination}) AS destination
     WHERE owner.id = ${userId}`.execute(reader);
  const row = invariant(rows[0], `no destination of a payout of ${userId}`);
  return {
    available: wallet?.available ?? totalAssets,
    held: wallet?.held ?? money(heldIn(accounts), totalAssets.currency),
    isIdentityApproved: await isIdentityApproved(reader, userId),
    isDeactivated: row.deactivatedAt !== null,
    frozenAt: row.frozenAt?.toISOString() ?? null,
    bankChangedAt: row.changedAt.toISOString(),
    isBankNew: row.isNew,
    passwordChangedAt: row.passwordChangedAt?.toISOString() ?? null,
    paid: row.paid,
    since: row.firstAt === null ? null : Number(dayIn(timeZone, row.firstAt).slice(0, 4)),
    returned: row.returned,
    refusal,
  };
}

function heldIn(accounts: readonly { held: { minor: string } }[]): bigint {
  return accounts.reduce((sum, { held }) => sum + BigInt(held.minor), 0n);
}
