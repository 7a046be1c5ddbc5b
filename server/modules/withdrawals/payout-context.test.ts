import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { withdrawalActs } from './acts.ts';
import { getAdminWithdrawal } from './queries.ts';

const services = createTestServices();
const NOW = '2026-12-08T15:00:00.000Z';
let test: TestDb;
let db: Db;
let renee: CommandContext;
let priya: CommandContext;
let payee: Payee;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  services.clock.set(NOW);
  renee = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  priya = await createPersonBy(db, { role: 'admin', firstName: 'Priya', lastName: 'Nair' });
});
afterAll(() => test.close());
beforeEach(async () => {
  services.clock.set(NOW);
  await db
    .updateTable('companySettings')
    .set({ separateBankAccountMinor: null, separatePayoutMinor: null })
    .execute();
  payee = await createPayee(db, services, { admin: renee, fundedMinor: 100_000n });
});

const withdrawal = (status: 'pending' | 'processing' | 'completed' | 'returned', minor = 25_000n) =>
  withdrawalIn(db, services, { payee, admin: renee, status, amountMinor: minor });
const contextOf = async (id: string, by = renee) =>
  (await getAdminWithdrawal(db, services, by, id)).context;

it('says what the person has, what was changed when, and what was paid before', async () => {
  const first = await withdrawal('pending');
  expect(await contextOf(first.id)).toEqual({
    available: money(75_000n, 'USD'),
    held: money(25_000n, 'USD'),
    isIdentityApproved: true,
    isDeactivated: false,
    frozenAt: null,
    bankChangedAt: NOW,
    isBankNew: true,
    passwordChangedAt: null,
    paid: 0,
    since: null,
    returned: 0,
    refusal: null,
  });
  await withdrawal('completed', 1_000n);
  await withdrawal('returned', 1_000n);
  expect(await contextOf(first.id)).toMatchObject({ paid: 1, since: 2026, returned: 1 });
});

it('says when the password was changed, and that payouts are frozen', async () => {
  const { id } = await withdrawal('pending');
  const userId = payee.by.actor.id;
  await db
    .insertInto('authAccount')
    .values({
      userId,
      password: 'a hash',
      createdAt: new Date('2026-01-05T09:00:00Z'),
      updatedAt: new Date('2026-12-01T09:00:00Z'),
    })
    .execute();
  expect(await contextOf(id)).toMatchObject({ passwordChangedAt: '2026-12-01T09:00:00.000Z' });
  const at = new Date('2026-12-08T15:30:00.000Z');
  await db
    .updateTable('appUser')
    .set({ payoutsFrozenAt: at, passwordResetAt: at })
    .where('id', '=', userId)
    .execute();
  expect(await contextOf(id)).toMatchObject({
    frozenAt: '2026-12-08T15:30:00.000Z',
    passwordChangedAt: '2026-12-08T15:30:00.000Z',
  });
});

it('gives the admin who may not take the next step the words of the refusal', async () => {
  await db.updateTable('companySettings').set({ separateBankAccountMinor: 0n }).execute();
  const pending = await withdrawal('pending');
  const { refusal } = await contextOf(pending.id);
  expect(refusal).toContain('Priya Nair');
  const approve = withTx(db, (tx) =>
    withdrawalActs.approve(tx, services, renee, { id: pending.id }),
  );
  await expect(approve).rejects.toMatchObject({ message: refusal });
  expect(await contextOf(pending.id, priya)).toMatchObject({ refusal: null });

  await db.updateTable('companySettings').set({ separateBankAccountMinor: null }).execute();
  const processing = await withdrawal('processing');
  await db.updateTable('companySettings').set({ separatePayoutMinor: 0n }).execute();
  const refused = (await contextOf(processing.id)).refusal;
  const complete = withTx(db, (tx) =>
    withdrawalActs.complete(tx, services, renee, { id: processing.id }),
  );
  await expect(complete).rejects.toMatchObject({ message: refused });
  expect(await contextOf(processing.id, priya)).toMatchObject({ refusal: null });
  expect((await contextOf(processing.id, payee.by)).refusal).toBe(
    'Someone else must decide on your own request.',
  );
});
