import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { expectSoundMoney } from '#test/factories/money.ts';
import { AMOUNT, approvedByMany, payoutSteps } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import { makePayoutFile } from './make-payout-file.ts';
import { CHUNK_PAYMENTS } from './chunks.ts';
import { postPayoutFile, sweepPayoutFiles } from './post-payout-file.ts';
import { getPayoutFile } from './file-queries.ts';
import { getPayouts } from './get-payouts.ts';

/** Payments of the file, more than one chunk; `PURSER_PAYOUT_ITEMS=100000` for its limit, which takes minutes. */
const ITEMS = Number(process.env['PURSER_PAYOUT_ITEMS'] ?? 1_200);
const services = createTestServices();
let test: TestDb;
let admin: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  admin = await createPersonBy(test.db, { role: 'admin' });
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, payout_cooling_hours = 0`.execute(
    test.db,
  );
});
afterAll(() => test.close());

it(
  'makes, gives out, sends and settles all that is ready in one file',
  { timeout: 300_000 },
  async () => {
    const { db } = test;
    const owner = openOwner(test.ownerUrl);
    await approvedByMany(db, services, { owner: owner.db, admin, count: ITEMS });
    await owner.close();
    await sql`ANALYZE`.execute(db).catch(() => undefined);
    const steps = payoutSteps(db, services, admin);
    await steps.enterBank();
    const timed: [string, number][] = [];
    const time = async <Result>(what: string, step: () => Promise<Result>): Promise<Result> => {
      const from = performance.now();
      const result = await step();
      timed.push([what, Math.round(performance.now() - from)]);
      return result;
    };
    const { ready, lots, readySum } = await time('page', () => getPayouts(db, services, admin));
    expect(ready).toHaveLength(200);
    const total = { minor: String(AMOUNT * BigInt(ITEMS)), currency: 'USD' as const };
    expect(readySum).toEqual({ count: ITEMS, total });
    expect(lots).toMatchObject([{ payees: 'people', count: ITEMS, total }]);

    const part = { search: '', payees: 'all', on: 'all' } as const;
    const makeAll = (count: number) =>
      withTx(db, (tx) =>
        makePayoutFile(tx, services, admin, {
          withdrawalIds: [],
          billIds: [],
          all: { ...part, count, total },
        }),
      );
    // Somebody saw one payment less: nothing is made that nobody has seen.
    await expect(makeAll(ITEMS - 1)).rejects.toMatchObject({ code: 'payouts_changed' });
    const called = await time('make', () => makeAll(ITEMS));
    await time('cancel', () => steps.doAct('cancel', called.id));
    const file = await makeAll(ITEMS);
    const page = await time('page of the file', () => getPayoutFile(db, services, admin, file));
    expect(page).toMatchObject({ itemCount: ITEMS, total });
    expect(page.checks.filter(({ refusal }) => refusal !== null)).toEqual([]);
    expect(page.entries).toHaveLength(100);
    const last = { number: file.number, page: Math.ceil(ITEMS / 100) };
    expect((await getPayoutFile(db, services, admin, last)).entries).toHaveLength(
      ((ITEMS - 1) % 100) + 1,
    );
    await time('download', () => steps.download(file.id));
    const left = Math.max(0, ITEMS - CHUNK_PAYMENTS);
    const post = () => postPayoutFile(db, services, file.id);
    const expectPart = async (status: 'sent' | 'settled') => {
      expect(await getPayoutFile(db, services, admin, file)).toMatchObject({
        status,
        unposted: left,
      });
      await steps.expectSound();
      await expectSoundMoney(db);
    };
    await time('mark as sent', () => steps.doAct('send', file.id));
    await expectPart('sent');
    // Work that a killed process left is found, and two that post it concurrently post it once.
    expect(await sweepPayoutFiles(db)).toBe(1);
    await expect(steps.doAct('settle', file.id)).rejects.toMatchObject({
      code: 'payout_file_unposted',
    });
    await time('send the rest', () => Promise.all([post(), post()]));
    expect(await sweepPayoutFiles(db)).toBe(0);
    await time('settle', () => steps.doAct('settle', file.id));
    await expectPart('settled');
    // The last payments are on their way yet, and are not completed by hand.
    const { id: lastId } = invariant(
      (await getPayoutFile(db, services, admin, last)).entries.at(-1),
      'a page of entries',
    );
    await expect(
      withTx(db, (tx) => withdrawalActs.complete(tx, services, admin, { id: lastId })),
    ).rejects.toMatchObject({ code: 'payout_sent_in_file' });
    await time('settle the rest', post);
    console.log(ITEMS, timed.map(([what, ms]) => `${what} ${ms} ms`).join(', '));
    const { rows } =
      await sql`SELECT status, count(*)::int FROM withdrawal GROUP BY status`.execute(db);
    expect(rows).toEqual([{ status: 'completed', count: ITEMS }]);
    await steps.expectSound();
    await expectSoundMoney(db);
  },
);
