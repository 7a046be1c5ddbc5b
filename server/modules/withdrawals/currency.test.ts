import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstView } from '#contract/list.ts';
import { withdrawalList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { readThingScope } from '#server/modules/acts/index.ts';
import { createPayee, withdrawalOf } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { adminWithdrawals } from './admin-list.ts';
import { requestWithdrawal } from './index.ts';
import { adminWithdrawalStats } from './queries.ts';

const services = createTestServices();
let test: TestDb;
let admin: CommandContext;
let payee: Payee;

beforeAll(async () => {
  test = await openTestDb();
  // A company's currency never changes: the database may refuse it. This one begins with euros.
  const owner = createPool({ url: test.ownerUrl });
  await owner.query(`ALTER TABLE company_settings DISABLE TRIGGER USER;
    UPDATE company_settings SET currency = 'EUR';
    ALTER TABLE company_settings ENABLE TRIGGER USER`);
  await owner.end();
  admin = await createPersonBy(test.db, { role: 'admin' });
  payee = await createPayee(test.db, services, {
    admin,
    account: { routingNumber: '', accountNumber: 'DE89370400440532013000' },
  });
});
afterAll(() => test.close());

it('a company in euros pays out euros, and says so everywhere', async () => {
  const amount = money(32_000n, 'EUR');
  const asked = await withTx(test.db, (tx) =>
    requestWithdrawal(tx, services, payee.by, withdrawalOf(payee, 0n, { amount })),
  );
  expect(asked.amount).toEqual(amount);
  expect(await adminWithdrawalStats(test.db)).toMatchObject({ pendingAmount: amount });
  const query = { ...firstView(withdrawalList), pageSize: 15 };
  const { items } = await adminWithdrawals.page(
    test.db,
    query,
    await readThingScope(services)(test.db, admin),
  );
  expect(items.map((item) => item.amount)).toEqual([amount]);
  const { rows } = await sql<{ message: string }>`
    SELECT message FROM notification WHERE type = 'withdrawal'`.execute(test.db);
  expect(rows.length).toBeGreaterThan(0);
  for (const { message } of rows) expect(message).toContain('€320.00');
});

it('and refuses dollars', async () => {
  const inDollars = withTx(test.db, (tx) =>
    requestWithdrawal(tx, services, payee.by, withdrawalOf(payee, 32_000n)),
  );
  await expect(inDollars).rejects.toMatchObject({ code: 'amount_invalid' });
});
