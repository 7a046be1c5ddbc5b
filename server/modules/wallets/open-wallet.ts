import { sql } from 'kysely';
import type { WalletType } from '#contract/wallets.ts';
import { lockUsers } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { InvariantError, invariant } from '#server/lib/errors.ts';
import { newId, randomDigits } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { openAccounts } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { accountNumberPlace } from './account-number.ts';
import { contentHash } from './content-hash.ts';

const ACCOUNT_NUMBER_DIGITS = 12;

/** A wallet, as other modules see it. */
export interface OpenedWallet {
  id: string;
  ledgerAccountId: string;
}

/**
 * The person's wallet of that type, opened if they have none: a ledger account that can never fall
 * below zero and an account number of ours. Safe to repeat and to run concurrently, because it
 * locks the person's row. A closed wallet stays closed and is returned as it is.
 */
export async function openWallet(
  tx: Tx,
  services: Services,
  { userId, type, by }: { userId: string; type: WalletType; by?: AuditContext },
): Promise<OpenedWallet> {
  const wallets = await openWallets(tx, services, { userIds: [userId], type, ...(by && { by }) });
  return invariant(wallets.get(userId), 'a wallet is opened for everyone');
}

/**
 * Like `openWallet`, for many people, each named once. It needs a few statements, however many
 * people they are. Returns the wallets by person.
 */
export async function openWallets(
  tx: Tx,
  services: Services,
  {
    userIds,
    type,
    by = { actor: 'system' },
  }: { userIds: readonly string[]; type: WalletType; by?: AuditContext },
): Promise<ReadonlyMap<string, OpenedWallet>> {
  await lockUsers(tx, userIds);
  const existing = await findWallets(tx, userIds, type);
  const missing = userIds.filter((userId) => !existing.has(userId));
  if (missing.length === 0) return existing;
  const now = services.clock.now();
  const { currency } = await readSettings(tx);
  const numbers = await unusedNumbers(tx, services, missing.length);
  const wallets = missing.map((userId, index) => ({
    id: newId(now.getTime()),
    userId,
    ledgerAccountId: newId(),
    number: invariant(numbers[index], 'a number is drawn for everyone'),
  }));
  await openAccounts(
    tx,
    wallets.map(({ ledgerAccountId, userId }) => ({
      id: ledgerAccountId,
      kind: type,
      ownerId: userId,
      currency,
    })),
  );
  const hashes = await insertWallets(tx, services, { wallets, type, now });
  for (const { id, userId, ledgerAccountId } of wallets) {
    record(tx, by, 'wallet.opened', {
      id,
      personId: userId,
      details: {
        type,
        ledgerAccountId,
        contentHash: invariant(hashes.get(id), 'a wallet that was written has its hash'),
      },
    });
  }
  return new Map([
    ...existing,
    ...wallets.map(({ userId, id, ledgerAccountId }) => [userId, { id, ledgerAccountId }] as const),
  ]);
}

async function findWallets(
  tx: Tx,
  userIds: readonly string[],
  type: WalletType,
): Promise<Map<string, OpenedWallet>> {
  const rows = await tx
    .selectFrom('wallet')
    .select(['userId', 'id', 'ledgerAccountId'])
    .where('userId', '=', sql<string>`ANY (${userIds}::uuid[])`)
    .where('type', '=', type)
    .execute();
  return new Map(rows.map(({ userId, ...wallet }) => [userId, wallet]));
}

interface NewWallets {
  wallets: readonly (OpenedWallet & { userId: string; number: string })[];
  type: WalletType;
  now: Date;
}

/** Hash of each wallet's content, by its id. */
async function insertWallets(
  tx: Tx,
  { vault }: Services,
  { wallets, type, now }: NewWallets,
): Promise<Map<string, string>> {
  const sealed = await vault.sealAll(
    tx,
    wallets.map(({ id, userId, number }) => ({
      userId,
      place: accountNumberPlace(id),
      plain: number,
    })),
  );
  const hashes = wallets.map(({ number }) => vault.lookupHash('wallet-number', number));
  const { rows } = await sql<{ id: string; contentHash: string }>`
    INSERT INTO wallet (id, user_id, type, ledger_account_id, last4, account_number_encrypted,
                        account_number_hash, hash_key_id, created_at)
    SELECT one.id, one.user_id, ${type}, one.ledger_account_id, one.last4, one.sealed, one.hash,
           one.key_id, ${now}::timestamptz
      FROM unnest(${wallets.map(({ id }) => id)}::uuid[],
                  ${wallets.map(({ userId }) => userId)}::uuid[],
                  ${wallets.map(({ ledgerAccountId }) => ledgerAccountId)}::uuid[],
                  ${wallets.map(({ number }) => number.slice(-4))}::text[],
                  ${sealed}::bytea[], ${hashes.map(({ hash }) => hash)}::bytea[],
                  ${hashes.map(({ keyId }) => keyId)}::text[])
        AS one (id, user_id, ledger_account_id, last4, sealed, hash, key_id)
    RETURNING id, ${contentHash('wallet')} AS content_hash`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.contentHash]));
}

/** Searches the hashes under every available key, so that a rotated key hides no number. */
async function unusedNumbers(tx: Tx, services: Services, count: number): Promise<string[]> {
  const unused = new Set<string>();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const drawn = new Set<string>();
    while (unused.size + drawn.size < count) drawn.add(randomDigits(ACCOUNT_NUMBER_DIGITS));
    for (const number of await withoutUsed(tx, services, [...drawn])) unused.add(number);
    if (unused.size === count) return [...unused];
  }
  throw new InvariantError('no unused account numbers in ten draws of twelve digits');
}

async function withoutUsed(
  tx: Tx,
  { vault }: Services,
  numbers: readonly string[],
): Promise<string[]> {
  const hashesOf = new Map(
    numbers.map((number) => [
      number,
      vault.lookupHashes('wallet-number', number).map(({ hash }) => hash),
    ]),
  );
  const { rows } = await sql<{ hash: Buffer }>`
    SELECT account_number_hash AS hash FROM wallet
     WHERE account_number_hash = ANY (${[...hashesOf.values()].flat()}::bytea[])`.execute(tx);
  const used = new Set(rows.map(({ hash }) => hash.toString('hex')));
  return numbers.filter(
    (number) => hashesOf.get(number)?.some((hash) => used.has(hash.toString('hex'))) !== true,
  );
}
