import type { WalletType } from '#contract/wallets.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { InvariantError } from '#server/lib/errors.ts';
import { newId, randomDigits } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { openAccount } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { accountNumberPlace } from './account-number.ts';
import { contentHash } from './content-hash.ts';

const ACCOUNT_NUMBER_DIGITS = 12;

/** A wallet as other modules know it. */
export interface OpenedWallet {
  id: string;
  ledgerAccountId: string;
}

/**
 * The person's wallet of that type, opened if they have none: a ledger account that can never fall
 * below zero and an account number of ours. Safe to repeat and to race: it waits on the person's
 * row. A wallet that was closed stays closed and is returned as it is.
 */
export async function openWallet(
  tx: Tx,
  services: Services,
  {
    userId,
    type,
    by = { actor: 'system' },
  }: { userId: string; type: WalletType; by?: AuditContext },
): Promise<OpenedWallet> {
  await lockUser(tx, userId);
  const existing = await tx
    .selectFrom('wallet')
    .select(['id', 'ledgerAccountId'])
    .where('userId', '=', userId)
    .where('type', '=', type)
    .executeTakeFirst();
  if (existing !== undefined) return existing;

  const now = services.clock.now();
  const id = newId(now.getTime());
  const { currency } = await readSettings(tx);
  const ledgerAccountId = await openAccount(tx, { kind: type, ownerId: userId, currency });
  const number = await unusedNumber(tx, services);
  const { hash, keyId } = services.vault.lookupHash('wallet-number', number);
  const written = await tx
    .insertInto('wallet')
    .values({
      id,
      userId,
      type,
      ledgerAccountId,
      accountNumberEncrypted: await services.vault.seal(tx, userId, accountNumberPlace(id), number),
      accountNumberHash: hash,
      hashKeyId: keyId,
      last4: number.slice(-4),
      createdAt: now,
    })
    .returning(contentHash('wallet').as('contentHash'))
    .executeTakeFirstOrThrow();
  recordAudit(tx, {
    by,
    action: 'wallet.opened',
    subjectType: 'wallet',
    subjectId: id,
    personId: userId,
    details: { type, ledgerAccountId, contentHash: written.contentHash },
  });
  return { id, ledgerAccountId };
}

/** Hashes under every key at hand are searched, so that a rotated key hides no number. */
async function unusedNumber(tx: Tx, { vault }: Services): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const number = randomDigits(ACCOUNT_NUMBER_DIGITS);
    const hashes = vault.lookupHashes('wallet-number', number).map(({ hash }) => hash);
    const taken = await tx
      .selectFrom('wallet')
      .select('id')
      .where('accountNumberHash', 'in', hashes)
      .executeTakeFirst();
    if (taken === undefined) return number;
  }
  throw new InvariantError('no unused account number in ten draws of twelve digits');
}
