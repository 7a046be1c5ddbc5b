import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Bill } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { getOwnBill } from '#server/modules/payments/bill-queries.ts';
import { addPayee, scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import type { NewBill } from '#server/modules/payments/schedule-bill.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { createPayee, expectSoundMoney } from './factories/money.ts';
import type { Payee as Payer } from './factories/money.ts';
import { createPersonBy } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';

/** The day at the beginning of each test, in the company's time zone. */
export const TODAY = '2026-12-08';

/** A payee but for its number, and whether it is listed: as it is changed. */
export const CHANGE = {
  name: 'Harbor Fiber',
  kind: 'business',
  routingNumber: '021000021',
  accountType: 'checking',
  customerNumber: 'HF-220418',
} as const;
const FIBER = { ...CHANGE, accountNumber: '40227755502', isSaved: true };

/** Someone with money, and a payee of theirs. */
export interface Billed {
  who: Payer;
  payeeId: string;
}

interface Company {
  db: Db;
  admin: CommandContext;
  otherAdmin: CommandContext;
}

/**
 * A company for the tests of one file about bills, and what they do in it. After each test its money is
 * compared with its ledger.
 *
 * @param onOpen given the company, before the first test
 */
export function billsFixture(onOpen: (company: Company) => void) {
  const services = createTestServices();
  let test: TestDb;
  let admin: CommandContext;
  beforeAll(async () => {
    test = await openTestDb();
    admin = await createPersonBy(test.db, { role: 'admin' });
    onOpen({ db: test.db, admin, otherAdmin: await createPersonBy(test.db, { role: 'admin' }) });
  });
  beforeEach(() => services.clock.set(`${TODAY}T15:00:00.000Z`));
  afterEach(() => expectSoundMoney(test.db));
  afterAll(() => test.close());

  const run = <T>(work: (tx: Tx) => Promise<T>) => withTx(test.db, work);
  const payer = (fundedMinor = 481_236n) =>
    createPayee(test.db, services, {
      admin,
      fundedMinor,
      firstName: 'Maya',
      lastName: 'Castellanos',
    });
  const enter = ({ by }: Payer, details: Partial<Parameters<typeof addPayee>[3]> = {}) =>
    run((tx) => addPayee(tx, services, by, { ...FIBER, ...details }));
  const schedule = (billed: Billed, minor: bigint, input: Partial<NewBill> = {}) =>
    run((tx) => scheduleBill(tx, services, billed.who.by, billOf(billed, minor, input)));
  return {
    services,
    run,
    payer,
    enter,
    schedule,
    billed: async (fundedMinor?: bigint): Promise<Billed> => {
      const who = await payer(fundedMinor);
      return { who, payeeId: (await enter(who)).id };
    },
    /** A bill of today, taken for payout. */
    dueBill: async (billed: Billed, minor = 7_000n): Promise<Bill> => {
      const bill = await schedule(billed, minor, { payOn: TODAY });
      await takeBills(test.db, services);
      return bill;
    },
    /** In minor units. */
    availableOf: async ({ by }: Payer) =>
      (await listWallets(test.db, by.actor.id)).totalAssets.minor,
    statusOf: async ({ by }: Payer, { id }: Bill) =>
      (await getOwnBill(test.db, services, by, id)).status,
  };
}

export function billOf(
  { who, payeeId }: Billed,
  minor: bigint,
  input: Partial<NewBill> = {},
): NewBill {
  return {
    walletId: who.wallet.id,
    payeeId,
    amount: money(minor, 'USD'),
    payOn: '2026-12-21',
    dueOn: null,
    memo: '',
    ...input,
  };
}
