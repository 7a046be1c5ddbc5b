import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { changeTransfers } from '#server/modules/transfers/change-plan.ts';
import { getTransfers } from '#server/modules/transfers/queries.ts';
import { runTransfers } from '#server/modules/transfers/run-transfers.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { createPayee, expectSoundMoney, fundedWallet } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { createPersonBy } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';
import { draftOwnAmounts, sendDraftAsSeen } from './payroll-fixture.ts';
import { problemsIn } from './sound-books.ts';

type Rules = Parameters<typeof changeTransfers>[3]['rules'];
/** A person with a salary wallet, two others, and a bank account. */
export type Saver = Payee & { savingsId: string; iraId: string };

export const USD = (minor: bigint) => money(minor, 'USD');
export const wallet = (id: string) => ({ kind: 'wallet', id }) as const;
export const bank = ({ bank: { id } }: Saver) => ({ kind: 'bank', id }) as const;
export const fixed = (minor: bigint, to: Rules[number]['to']) =>
  ({ kind: 'fixed', amount: USD(minor), to }) as const;
export const percent = (percentHundredths: number, to: Rules[number]['to']) =>
  ({ kind: 'percent', percentHundredths, to }) as const;
export const above = (minor: bigint, to: Rules[number]['to']) =>
  ({ kind: 'above', amount: USD(minor), to }) as const;

/** Database of a test file about automatic transfers, with its acts. The money is sound after each test. */
export function openSavers() {
  const services = createTestServices();
  let test: TestDb;
  let admin: CommandContext;
  let second: CommandContext;
  let now = Date.parse('2026-12-08T15:00:00.000Z');
  const db = () => test.db;

  beforeAll(async () => {
    test = await openTestDb();
    admin = await createPersonBy(test.db, { role: 'admin' });
    second = await createPersonBy(test.db, {
      role: 'admin',
      firstName: 'Theo',
      lastName: 'Marchetti',
    });
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, payout_cooling_hours = 24`.execute(
      test.db,
    );
  });
  beforeEach(() => pass(1));
  afterEach(async () => {
    await expectSoundMoney(test.db);
    // The people of these tests have no records of their own.
    const checks = businessChecks.filter(({ name }) =>
      /^(withdrawal|move|payroll|transfer|automatic|posting|wallet|amounts)/.test(name),
    );
    expect(await withTx(test.db, (tx) => problemsIn(tx, checks))).toEqual([]);
  });
  afterAll(() => test.close());

  const run = <T>(work: (tx: Tx) => Promise<T>) => withTx(test.db, work);
  /** Lets hours pass. */
  function pass(hours: number): void {
    now += hours * 3_600_000;
    services.clock.set(new Date(now).toISOString());
  }
  const tick = () => runTransfers(test.db, services);
  /** Pays a person by a payroll of their own, without what follows; replies its line. */
  async function pay(
    { by }: Saver,
    minor: bigint,
    walletType: WalletType = 'salary',
  ): Promise<string> {
    const draft = await draftOwnAmounts(test.db, admin.actor, new Map([[by.actor.id, minor]]), {
      clock: services.clock,
      walletType,
      description: `Pay ${now}`,
    });
    const batch = await sendDraftAsSeen(test.db, admin.actor, draft.id, services);
    await postPayroll(test.db, services, batch.id);
    const { id } = await test.db
      .selectFrom('payrollLine')
      .select('id')
      .where('batchId', '=', batch.id)
      .executeTakeFirstOrThrow();
    return id;
  }

  return {
    db,
    services,
    run,
    pass,
    tick,
    pay,
    admin: () => admin,
    second: () => second,
    /** A person whose bank account has cooled off. */
    saver: async (fundedMinor = 0n): Promise<Saver> => {
      const who = await createPayee(test.db, services, { admin, fundedMinor });
      const open = async (type: WalletType) =>
        (await fundedWallet(test.db, services, who.by, 0n, type)).id;
      const [savingsId, iraId] = [await open('savings'), await open('retirement')];
      pass(100);
      return { ...who, savingsId, iraId };
    },
    shown: async (who: Saver) => {
      const { wallets } = await getTransfers(test.db, services, who.by.actor.id);
      return wallets.find(({ walletId }) => walletId === who.wallet.id);
    },
    change: (
      who: Saver,
      rules: Rules,
      { walletId = who.wallet.id, version = 0, by = who.by } = {},
    ) => run((tx) => changeTransfers(tx, services, by, { walletId, version, rules })),
    paid: async (who: Saver, minor: bigint): Promise<string> => {
      // So that notifications have an order.
      pass(1);
      const line = await pay(who, minor);
      expect(await tick()).toBe(1);
      return line;
    },
    /** Amounts available in salary, savings and retirement, in minor units. */
    available: async ({ by }: Saver): Promise<string[]> => {
      const { accounts } = await listWallets(test.db, by.actor.id);
      return accounts.map((account) => account.available.minor);
    },
    withdrawalsOf: ({ by }: Saver) =>
      test.db
        .selectFrom('withdrawal')
        .select(['id', 'amountMinor', 'status', 'reason'])
        .where('userId', '=', by.actor.id)
        .orderBy('requestedAt')
        .execute(),
    noticesOf: ({ by }: Saver) =>
      test.db
        .selectFrom('notification')
        .select(['title', 'message'])
        .where('userId', '=', by.actor.id)
        .where('title', 'like', 'Automatic%')
        .orderBy('createdAt')
        .execute(),
    dueLines: () => test.db.selectFrom('payrollDueTransfer').select('lineId').execute(),
    outcomeOf: async (lineId: string) => {
      const one = await test.db
        .selectFrom('transferRun')
        .select('outcome')
        .where('lineId', '=', lineId)
        .executeTakeFirst();
      return one?.outcome;
    },
  };
}
