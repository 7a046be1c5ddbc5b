import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { AppError, InvariantError } from '#server/lib/errors.ts';

/** Copy that a request keeps of the bank account it pays to. */
export interface ClaimedBankAccount {
  bankName: string;
  last4: string;
  /** The keyed hash of routing and account number, as hex. */
  accountHash: string;
}

/** `Cascade Federal Credit Union ••2208`, as messages and lists call a bank account, and a request its copy. */
export function bankLabel({
  bankName,
  last4,
}: Pick<ClaimedBankAccount, 'bankName' | 'last4'>): string {
  return `${bankName} ••${last4}`;
}

/**
 * Claims one of the person's verified bank accounts for a request: until `releaseUses` it can be
 * neither edited nor removed. One conditional update, so that an edit at the same time either comes
 * first, and this refuses, or is refused itself.
 *
 * @throws {AppError} `bank_account_not_verified` when it is pending, rejected, removed, another's
 *   or none at all.
 */
export async function claimUse(
  tx: Tx,
  { bankAccountId, userId }: { bankAccountId: string; userId: string },
): Promise<ClaimedBankAccount> {
  const { rows } = await sql<
    Omit<ClaimedBankAccount, 'accountHash'> & { accountNumberHash: Buffer }
  >`
    UPDATE bank_account SET use_count = use_count + 1
     WHERE id = ${bankAccountId} AND user_id = ${userId} AND status = 'verified' AND removed_at IS NULL
    RETURNING bank_name, last4, account_number_hash`.execute(tx);
  const [claimed] = rows;
  if (claimed === undefined) throw new AppError('bank_account_not_verified');
  const { accountNumberHash, ...known } = claimed;
  return { ...known, accountHash: accountNumberHash.toString('hex') };
}

/**
 * Ends one claim of each request, which names its bank account here; called once by each request that had made one. Locks the
 * bank accounts in the order of their ids.
 */
export async function releaseUses(tx: Tx, bankAccountIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ released: bigint }>`
    WITH claim AS (
      SELECT id, count(*)::int AS uses FROM unnest(${bankAccountIds}::uuid[]) AS one (id) GROUP BY id
    ), locked AS MATERIALIZED (
      SELECT id FROM bank_account WHERE id IN (SELECT id FROM claim) ORDER BY id FOR NO KEY UPDATE
    ), released AS (
      UPDATE bank_account SET use_count = use_count - claim.uses FROM claim JOIN locked USING (id)
       WHERE bank_account.id = claim.id AND use_count >= claim.uses
      RETURNING claim.uses)
    SELECT coalesce(sum(uses), 0)::bigint AS released FROM released`.execute(tx);
  if (rows[0]?.released !== BigInt(bankAccountIds.length)) {
    throw new InvariantError(
      `bank account ${bankAccountIds.join(', ')} was released more often than claimed`,
    );
  }
}
