import { beforeEach } from 'vitest';
import type { SettingValues } from '#contract/settings.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { bankAccountActs, listBankAccounts } from '#server/modules/bank-accounts/index.ts';
import { makePayoutFile } from '#server/modules/payouts/make-payout-file.ts';
import { KNOWN, pendingBank } from './money.ts';
import { createPersonBy } from './people.ts';
import { openReturns } from './returned-payouts.ts';
import type { ReturnDesk } from './returned-payouts.ts';
import type { TestServices } from './services.ts';

/** A database whose company asks for a proof of each bank account, with the owner of new ones. */
export interface ProofDesk extends ReturnDesk {
  owner: CommandContext;
}

/**
 * Opens such a database before the tests of a file, with a new owner for each test.
 *
 * @param morning the time at which each test begins, ISO 8601
 * @param ownerNow the owner, whom a test may replace
 * @returns what the tests do with the accounts of the owner
 */
export function openBankProofs(
  services: TestServices,
  {
    proof,
    morning,
    ownerNow,
  }: {
    proof: SettingValues['bankAccountProof'];
    morning: string;
    ownerNow: () => CommandContext;
  },
  take: (desk: ProofDesk) => void,
) {
  let returns: ReturnDesk;
  let desk: ProofDesk;
  openReturns(services, (opened) => (returns = opened), { bankAccountProof: proof });
  beforeEach(async () => {
    services.clock.set(morning);
    const owner = await createPersonBy(returns.db, { firstName: 'Maya', lastName: 'Castellanos' });
    desk = { ...returns, owner };
    take(desk);
  });
  return {
    add: (details = {}) => pendingBank(desk.db, services, ownerNow(), details),
    verify: (id: string) =>
      withTx(desk.db, (tx) =>
        bankAccountActs.verify(tx, services, desk.other, { id, reason: KNOWN }),
      ),
    mine: async (id: string) => {
      const who = { ...ownerNow(), as: 'owner' } as const;
      const { items } = await listBankAccounts(desk.db, services, who, who.actor.id);
      const found = items.find((one) => one.id === id);
      if (found === undefined) throw new Error(`no bank account ${id}`);
      return found;
    },
    make: (...bankAccountIds: string[]) =>
      withTx(desk.db, (tx) =>
        makePayoutFile(tx, services, desk.admin, {
          withdrawalIds: [],
          billIds: [],
          bankAccountIds,
        }),
      ),
  };
}
