import type { Owed } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { balanceOfPeople } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';

/**
 * Total of all wallets, which the company owes to employees, including people who left and people
 * who became administrators.
 */
export async function totalOwed(reader: Reader): Promise<Owed> {
  const { currency } = await readSettings(reader);
  const { postedMinor, heldMinor, availableMinor } = await balanceOfPeople(reader, currency);
  return {
    balance: money(postedMinor, currency),
    held: money(heldMinor, currency),
    available: money(availableMinor, currency),
  };
}
