import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { openWalletsOf } from '#server/modules/wallets/index.ts';
import type { Target } from './plan.ts';

/** Open wallets and verified bank accounts of a person, to which a new rule can lead. */
export async function listTargets(reader: Reader, userId: string): Promise<Target[]> {
  const wallets = await openWalletsOf(reader, userId);
  const banks = await reader
    .selectFrom('bankAccount')
    .select(['id', 'bankName as name', 'last4'])
    .where('userId', '=', userId)
    .where('status', '=', 'verified')
    .where('removedAt', 'is', null)
    .orderBy('isPrimary', 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return [
    ...wallets.map(({ id, type, last4 }) => ({
      kind: 'wallet' as const,
      id,
      name: WALLET_LABELS[type],
      last4,
    })),
    ...banks.map((bank) => ({ kind: 'bank' as const, ...bank })),
  ];
}
