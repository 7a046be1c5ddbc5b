import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstView } from '#contract/list.ts';
import { historyList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { reverseAll } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { ownHistory } from './own-history.ts';
import { historyScope } from './scope.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  at('2025-12-01T15:00:00.000Z');
  admin = await createPersonBy(db, { role: 'admin' });
  maya = await createPayee(db, services, { admin, fundedMinor: 500_000n });
  at('2025-12-02T04:59:59.000Z'); // 23:59:59 of the 1st in New York
  const approved = await asked(123_456n);
  await withTx(db, (tx) => depositActs.approve(tx, services, admin, { id: approved }));
  at('2025-12-02T05:00:00.000Z');
  const id = await asked(2_000n);
  await withTx(db, (tx) => depositActs.reject(tx, services, admin, { id, reason: 'Not received' }));
  at('2025-12-03T15:00:00.000Z');
  await fundedWallet(db, services, maya.by, 30_000n, 'savings');
  await withdrawalIn(db, services, { payee: maya, admin, status: 'pending' });
});
afterAll(() => test.close());

const at = (time: string) => services.clock.set(time);
async function asked(minor: bigint): Promise<string> {
  const request = {
    walletId: maya.wallet.id,
    method: 'ach',
    amount: money(minor, 'USD'),
  } as const;
  const { id } = await withTx(db, (tx) => requestDeposit(tx, services, maya.by, request));
  return id;
}
type Query = Parameters<typeof ownHistory.page>[1];
const FIRST = { ...firstView(historyList), pageSize: 100 };
const scope = async () => historyScope(db, maya.by.actor.id, await readSettings(db));
const page = async (changes: Partial<Query>) =>
  (await ownHistory.page(db, { ...FIRST, ...changes }, await scope())).items;
const count = async (changes: Partial<Query>) =>
  (await ownHistory.count(db, { ...FIRST, ...changes }, await scope())).total;
const amounts = async (changes: Partial<Query>) =>
  (await page(changes)).map(({ amount }) => amount.minor);

it.each([
  [{}, ['-40000', '123456', '2000', '30000', '500000']],
  [{ account: 'savings' }, ['30000']],
  [{ account: 'irs' }, []],
  [{ type: 'deposit' }, ['123456', '2000']],
  [{ type: 'payroll' }, ['30000', '500000']],
  [{ status: 'completed' }, ['123456', '30000', '500000']],
  [{ status: 'failed' }, ['2000']],
  [{ status: 'cancelled' }, []],
  [{ status: 'failed', type: 'withdrawal' }, []],
  [{ from: '2025-12-02' }, ['-40000', '2000', '30000']],
  [{ to: '2025-12-01' }, ['123456', '500000']],
  [{ from: '2025-12-02', to: '2025-12-02' }, ['2000']],
  [{ from: '2025-12-03', to: '2025-12-01' }, []],
  [{ from: '0001-01-01', to: '9999-12-31', status: 'failed' }, ['2000']],
  [{ search: 'ach deposit' }, ['123456', '2000']],
  [{ search: '1,234.56' }, ['123456']],
  [{ search: '$1234.5' }, []],
  [{ search: '1234.5' }, ['123456']],
  [{ search: '$1,234' }, ['123456']],
  [{ search: '\u2212$400.00' }, ['-40000']],
  [{ search: '-$400.00' }, ['-40000']],
  [{ search: '-400.00' }, ['-40000']],
  [{ search: '+$400.00' }, []],
  [{ search: '+$1,234.56' }, ['123456']],
  [{ search: '\u2212$1,234.56' }, []],
  [{ search: '\u202a+$300.00\u202c' }, ['30000']],
  [{ search: 'WD-' }, ['-40000']],
  [{ search: 'Deposits' }, ['123456', '2000']],
  [{ search: 'withdrawal' }, ['-40000']],
  [{ search: 'payroll' }, ['30000', '500000']],
  [{ search: 'transfers' }, []],
  [{ search: '%' }, []],
  [{ search: '_' }, []],
  [{ search: `'; DROP TABLE wallet; --` }, []],
  [{ search: '💸' }, []],
  [{ search: '\\' }, []],
] satisfies [Partial<Query>, string[]][])('%j', async (filter, expected: readonly string[]) => {
  expect(new Set(await amounts(filter))).toEqual(new Set(expected));
  expect(await count(filter)).toBe(expected.length);
});

it('finds a reversal by the type that it reverses', async () => {
  const [payroll] = await page({ type: 'payroll', account: 'savings' });
  const reversal = {
    transactionId: payroll?.transactionId ?? '',
    reference: 'TXN-REVERSAL',
    description: 'Paid by mistake',
    actorId: admin.actor.id,
  };
  await withTx(db, (tx) => reverseAll(tx, [reversal], { effectiveAt: services.clock.now() }));
  expect(new Set(await amounts({ type: 'payroll', account: 'savings' }))).toEqual(
    new Set(['-30000', '30000']),
  );
  expect(await amounts({ type: 'transfer' })).toEqual([]);
});
