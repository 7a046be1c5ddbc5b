import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { expectSoundMoney } from '#test/factories/money.ts';
import { AMOUNT, approvedByMany } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { returnSteps } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { pain002 } from '#test/iso-messages.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import { makePayoutFile } from '../make-payout-file.ts';
import { postPayoutFile } from '../post-payout-file.ts';
import { getPayouts } from '../get-payouts.ts';
import { bookWaiting, CHUNK_RETURNS } from './book-waiting.ts';
import { getReturns } from './queries.ts';

/** Payments of the file, more than one chunk; `PURSER_PAYOUT_ITEMS=100000` for its limit, which takes minutes. */
const ITEMS = Number(process.env['PURSER_PAYOUT_ITEMS'] ?? 300);
const services = createTestServices();
let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

it(
  'books all payments of a message that the bank rejected, a chunk at a time',
  { timeout: 3_600_000 },
  async () => {
    const { db } = test;
    const admin = await createPersonBy(db, { role: 'admin' });
    const other = await createPersonBy(db, { role: 'admin' });
    const steps = returnSteps(db, services, { admin, other });
    await steps.enterBank({ payoutFormat: 'pain001_09' });
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, payout_cooling_hours = 0`.execute(
      db,
    );
    const owner = openOwner(test.ownerUrl);
    await approvedByMany(db, services, { owner: owner.db, admin, count: ITEMS });
    await sql`ANALYZE`.execute(owner.db);
    await owner.close();
    const timed: [string, number][] = [];
    const time = async <Result>(what: string, step: () => Promise<Result>): Promise<Result> => {
      const from = performance.now();
      const result = await step();
      timed.push([what, Math.round(performance.now() - from)]);
      return result;
    };
    const { readySum } = await getPayouts(db, services, admin);
    const part = { search: '', payees: 'all', on: 'all' } as const;
    const all = { withdrawalIds: [], billIds: [], all: { ...part, ...readySum } };
    const file = await withTx(db, (tx) => makePayoutFile(tx, services, admin, all));
    await steps.download(file.id);
    await steps.doAct('send', file.id);
    const text = pain002({
      messageId: `20261208-${file.number}`,
      status: 'RJCT',
      reason: 'FF01',
      claims: `<OrgnlNbOfTxs>${ITEMS}</OrgnlNbOfTxs>`,
    });
    await postPayoutFile(db, services, file.id);

    const total = { minor: String(AMOUNT * BigInt(ITEMS)), currency: 'USD' };
    const check = await time('check', () => steps.check(text));
    expect(check).toMatchObject({
      refused: null,
      entryCount: ITEMS,
      booked: { count: ITEMS, total },
    });
    const { id, waiting } = await time('book the first', () => steps.bookText(text, other));
    expect(waiting).toBe(ITEMS - CHUNK_RETURNS);
    await steps.expectSound();
    await time('book the rest', () => bookWaiting(db, services, id));
    const page = await time('page', () => getReturns(db, id, 2));
    expect(page).toMatchObject({
      entryCount: ITEMS,
      figures: { booked: { count: ITEMS, total, wallets: ITEMS } },
    });
    expect(page.entries).toHaveLength(100);
    const { rows } =
      await sql`SELECT status, count(*)::int FROM withdrawal GROUP BY status`.execute(db);
    expect(rows).toEqual([{ status: 'returned', count: ITEMS }]);
    const again = await steps.check(text.replace('<MsgId>S-1', '<MsgId>S-2'));
    expect(again).toMatchObject({ repeated: ITEMS, booked: { count: 0 } });
    await steps.expectSound();
    await expectSoundMoney(db);
    console.log(ITEMS, timed.map(([what, ms]) => `${what} ${ms} ms`).join(', '));
  },
);
