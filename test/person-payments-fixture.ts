import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { historyScope, recentHistory } from '#server/modules/history/index.ts';
import { payPerson } from '#server/modules/payments/index.ts';
import type { NewPersonPayment } from '#server/modules/payments/pay-person.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { createPayee, expectSoundMoney, fundedWallet } from './factories/money.ts';
import type { Payee as Payer } from './factories/money.ts';
import { createPersonBy } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';

/** The time at the beginning of each test. */
export const NOW = '2026-12-08T15:00:00.000Z';

interface Company {
  db: Db;
  admin: CommandContext;
}

/**
 * A company for the tests of one file about payments to people, and what they do in it. After each
 * test its money is compared with its ledger.
 *
 * @param onOpen given the company, before the first test
 */
export function personPaymentsFixture(onOpen: (company: Company) => void) {
  const services = createTestServices();
  let test: TestDb;
  let admin: CommandContext;
  beforeAll(async () => {
    test = await openTestDb();
    admin = await createPersonBy(test.db, { role: 'admin' });
    onOpen({ db: test.db, admin });
  });
  beforeEach(() => services.clock.set(NOW));
  afterEach(() => expectSoundMoney(test.db));
  afterAll(() => test.close());

  const run = <T>(work: (tx: Tx) => Promise<T>) => withTx(test.db, work);
  return {
    services,
    run,
    payer: (fundedMinor = 481_236n) =>
      createPayee(test.db, services, {
        admin,
        fundedMinor,
        firstName: 'Maya',
        lastName: 'Castellanos',
      }),
    /** A colleague with an empty wallet. */
    colleague: async (firstName = 'Keiko'): Promise<CommandContext> => {
      const by = await createPersonBy(test.db, { firstName, lastName: 'Tanabe' });
      await fundedWallet(test.db, services, by, 0n);
      return by;
    },
    pay: (
      who: Pick<Payer, 'by' | 'wallet'>,
      to: CommandContext,
      minor: bigint,
      input: Partial<NewPersonPayment> = {},
    ) =>
      run((tx) =>
        payPerson(tx, services, who.by, {
          walletId: who.wallet.id,
          recipientId: to.actor.id,
          amount: money(minor, 'USD'),
          note: '',
          savePayee: false,
          ...input,
        }),
      ),
    /** In minor units. */
    availableOf: async ({ actor }: CommandContext) =>
      (await listWallets(test.db, actor.id)).totalAssets.minor,
    historyOf: async ({ actor }: CommandContext) =>
      recentHistory(test.db, await historyScope(test.db, actor.id, await readSettings(test.db)), 5),
  };
}
