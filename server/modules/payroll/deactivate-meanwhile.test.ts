import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { deactivatePerson } from '#server/modules/identity/index.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { accountForPayroll, confirmPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';
import { startAndBlock } from '#test/start-and-block.ts';
import { postPayroll } from './index.ts';
import { getPayrollBatch } from './queries.ts';

const services = { clock: systemClock };
const PEOPLE = 40;

let test: TestDb;
let admin: Actor;
let ids: string[];
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  admin = await seedAdmin(test.db);
  ids = (await seedEmployees(test.db, { count: PEOPLE })).map(({ id }) => id);
});

const post = (batchId: string) => postPayroll(test.db, services, batchId, { chunkLines: 2 });
const deactivate = (id: string) =>
  withTx(test.db, (tx) =>
    deactivatePerson(tx, services, { actor: admin }, { id, reason: 'Left the company' }),
  );

/** Result of each line of a batch, by person: `processed`, or the reason it was not paid for. */
async function outcomesOf(batchId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ userId: string; outcome: string }>`
    SELECT user_id, coalesce(reason, status) AS outcome FROM payroll_line
     WHERE batch_id = ${batchId}`.execute(test.db);
  return new Map(rows.map(({ userId, outcome }) => [userId, outcome]));
}

describe('a person who is deactivated while a payroll runs', () => {
  it('is not paid by it once the deactivation has begun before their line', async () => {
    const batchId = await confirmPayroll(test.db, admin);
    const [leaver = ''] = ids;
    const posting = await withTx(test.db, async (tx) => {
      await deactivatePerson(tx, services, { actor: admin }, { id: leaver, reason: 'Left' });
      return startAndBlock(test.db, () => post(batchId));
    });
    await posting.answer;
    expect((await outcomesOf(batchId)).get(leaver)).toBe('employee_inactive');
    expect(await getPayrollBatch(test.db, batchId, admin.id)).toMatchObject({
      status: 'completed',
      paidCount: PEOPLE - 1,
      failedCount: 1,
    });
  });

  it('is paid once or not at all, whoever is first, and everybody else is paid', async () => {
    const batchId = await confirmPayroll(test.db, admin);
    // From the other end, so that both meet in the middle.
    const leavers = ids.toReversed().slice(0, PEOPLE - 5);
    async function deactivateAll(): Promise<void> {
      for (const id of leavers) await deactivate(id);
    }
    await Promise.all([post(batchId), deactivateAll()]);
    const outcomes = await outcomesOf(batchId);
    const paid = [...outcomes.values()].filter((outcome) => outcome === 'processed').length;
    const inactive = [...outcomes.values()].filter((outcome) => outcome === 'employee_inactive');
    expect(paid + inactive.length).toBe(PEOPLE);
    for (const id of ids.slice(0, 5)) expect(outcomes.get(id)).toBe('processed');
    expect(await accountForPayroll(test.db, batchId)).toMatchObject({
      paidLines: paid,
      losses: 0,
      doubles: 0,
      movedMinor: BigInt(paid) * PAYROLL_AMOUNT_MINOR,
      batchPaidMinor: BigInt(paid) * PAYROLL_AMOUNT_MINOR,
    });
    expect((await verifyLedger(test.db)).problems).toEqual([]);
  });
});
