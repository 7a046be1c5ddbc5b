import { afterAll, beforeAll, expect, it } from 'vitest';

import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { createPayee, expectSoundMoney, verifyAgain, withdrawalOf } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import * as withdrawals from './index.ts';

const SEED = 20_261_208;
const WORKERS = 6;
const STEPS = 40;

const services = createTestServices();
let test: TestDb;
let db: Db;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
});
afterAll(() => test.close());

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Any action on any of the withdrawals there are; most are refused, and that is the point. */
function step(
  tx: Tx,
  {
    ids,
    payee,
    admin,
    random,
  }: { ids: string[]; payee: Payee; admin: CommandContext; random: () => number },
): Promise<{ id: string }> {
  const id = ids[Math.floor(random() * ids.length)] ?? crypto.randomUUID();
  const withReason = { id, reason: 'The account is closed' };
  const actions = [
    () => {
      const amountMinor = BigInt(Math.floor(random() * 4_000) + 1);
      const request = withdrawalOf(payee, amountMinor);
      return withdrawals.requestWithdrawal(tx, services, payee.by, request);
    },
    () => withdrawals.withdrawalActs.cancel(tx, services, payee.by, { id }),
    () => withdrawals.withdrawalActs.approve(tx, services, admin, { id }),
    () => withdrawals.withdrawalActs.startProcessing(tx, services, admin, { id }),
    () => withdrawals.withdrawalActs.complete(tx, services, admin, { id }),
    () => withdrawals.withdrawalActs.reject(tx, services, admin, withReason),
    () => withdrawals.withdrawalActs.stop(tx, services, admin, withReason),
    async () => {
      const returned = await withdrawals.withdrawalActs.return(tx, services, admin, withReason);
      // Nothing can be requested to an account that the bank sent a payout back from.
      const bankAccountId = payee.bank.id;
      await verifyAgain(tx, services, { owner: payee.by, admin, bankAccountId });
      return returned;
    },
  ];
  // Requests and steps forward more often than ends, so that there is something to end.
  const weights = [0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 4, 4, 4, 1, 5, 6, 7];
  const action = actions[weights[Math.floor(random() * weights.length)] ?? 0];
  if (action === undefined) throw new Error('an action that is not there');
  return action();
}

it(`keeps every cent through ${WORKERS} workers of random actions (seed ${SEED})`, async () => {
  const admin = await createPersonBy(db, { role: 'admin' });
  const payee = await createPayee(db, services, { admin, fundedMinor: 10_000n });
  const ids: string[] = [];
  const refused = new Map<string, number>();
  let done = 0;

  const worker = async (number: number) => {
    const random = randomFrom(SEED + number);
    for (let count = 0; count < STEPS; count += 1) {
      try {
        const { id } = await withTx(db, (tx) => step(tx, { ids, payee, admin, random }));
        if (!ids.includes(id)) ids.push(id);
        done += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)));

  expect(done).toBeGreaterThan(STEPS / 2);
  expect(refused.get('withdrawal_wrong_status')).toBeGreaterThan(0);
  await expectSoundMoney(db);
  expect((await verifyLedger(db)).problems).toEqual([]);
});
