import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstView } from '#contract/list.ts';
import { bankAccountList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { readThingScope } from '#server/modules/acts/index.ts';
import { createPayee, pendingBank } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { adminBankAccounts } from './admin-list.ts';
import { getAdminBankAccount } from './queries.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let renee: CommandContext;
let payee: Payee;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  renee = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  payee = await createPayee(db, services, { admin: renee, fundedMinor: 100_000n });
});
afterAll(() => test.close());

it('is opened with what its owner has, who may not verify it', async () => {
  const { id } = await pendingBank(db, services, payee.by, { accountNumber: '000123450001' });
  const read = (by: CommandContext) => getAdminBankAccount(db, services, by, id);
  expect(await read(renee)).toMatchObject({
    status: 'pending',
    check: { nameMatch: expect.any(String) },
    context: { available: money(100_000n, 'USD'), paid: 0, refusal: null },
  });
  expect((await read(payee.by)).context.refusal).toBe(
    'Someone else must decide on your own request.',
  );
  await expect(getAdminBankAccount(db, services, renee, payee.wallet.id)).rejects.toMatchObject({
    code: 'bank_account_not_found',
  });
});

it('exports bank accounts without a whole number', async () => {
  await pendingBank(db, services, payee.by, {
    bankName: '=Formula Bank',
    accountNumber: '000987654321',
  });
  const lines: string[] = [];
  const view = { ...firstView(bankAccountList), search: 'Formula' };
  const context = await readThingScope(services)(db, renee);
  for await (const part of adminBankAccounts.csv(db, view, context)) lines.push(part);
  const text = lines.join('');
  expect(text).toContain('Account ends in');
  expect(text).toContain("'=Formula Bank");
  expect(text).toContain(',••4321,');
  expect(text).toMatch(/,"=""0\d{8}""",/);
  expect(text).not.toContain('87654321');
});
