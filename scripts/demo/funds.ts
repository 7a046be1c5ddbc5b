import type { Wallet } from '#contract/api.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import type { DemoPerson } from './story.ts';

/** A person's wallet of that type, with what is in it then. */
export async function walletOf(tx: Tx, person: DemoPerson, type: WalletType): Promise<Wallet> {
  const { accounts } = await listWallets(tx, person.by.actor.id);
  const { name } = person.by.actor;
  return invariant(
    accounts.find((account) => account.type === type),
    `${name} of the demo company has no ${type} wallet`,
  );
}
