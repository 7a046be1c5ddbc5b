import fc from 'fast-check';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayrollLineReason } from '#contract/payroll.ts';
import { createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { newId } from '#server/lib/ids.ts';
import {
  ensureSystemAccount,
  openAccount,
  post,
  reverseAll,
  verifyLedger,
} from '#server/modules/ledger/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { transfer } from '#test/ledger-postings.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { accountForPayroll, confirmPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';
import { postPayroll } from './index.ts';
import { getPayrollBatch } from './queries.ts';
import { payrollActs } from './batch.ts';
import { lineReference } from './rules.ts';

const services = { clock: systemClock };
const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env['FC_RUNS'] ?? 8);
const LINES = 50;
const CHUNK_LINES = 13;

let test: TestDb;
let owner: pg.Pool;
let admin: Actor;
let fundingId: string;

beforeAll(async () => {
  test = await openTestDb();
  owner = createPool({ url: test.ownerUrl, max: 2 });
  admin = await seedAdmin(test.db);
  fundingId = await withTx(test.db, (tx) => ensureSystemAccount(tx, 'payroll_funding', 'USD'));
  // The rule that keeps a wallet and its account together is taken away, so that a line can be refused.
  await owner.query(`ALTER TABLE wallet DISABLE TRIGGER USER, DROP CONSTRAINT wallet_account_fkey`);
  // As a later rule of the ledger might: it refuses to touch accounts of this kind.
  await owner.query(`
    CREATE FUNCTION refuse_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE v_account_id uuid;
    BEGIN
      SELECT account.id INTO v_account_id
        FROM inserted JOIN ledger_account AS account ON account.id = inserted.account_id
       WHERE account.kind = 'frozen' LIMIT 1;
      IF FOUND THEN
        RAISE EXCEPTION 'Account % is frozen', v_account_id
          USING ERRCODE = 'PL008', DETAIL = v_account_id;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ledger_entry_frozen AFTER INSERT ON ledger_entry
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION refuse_frozen()`);
});
afterAll(async () => {
  await owner.end();
  await test.close();
});
beforeEach(() => retireEverybody(test.db));

interface Line {
  id: string;
  lineNumber: number;
  userId: string;
  walletId: string;
  ledgerAccountId: string;
  status: string;
  reason: PayrollLineReason | null;
}

async function linesOf(batchId: string): Promise<Line[]> {
  const { rows } = await sql<Line>`
    SELECT line.id, line.line_number, line.user_id, line.wallet_id, wallet.ledger_account_id,
           line.status, line.reason
      FROM payroll_line AS line JOIN wallet ON wallet.id = line.wallet_id
     WHERE batch_id = ${batchId} ORDER BY line_number`.execute(test.db);
  return rows;
}

/** A batch of that many people, nothing of it paid. */
async function makeBatch(count: number): Promise<{ id: string; number: string; lines: Line[] }> {
  await seedEmployees(test.db, { count });
  const id = await confirmPayroll(test.db, admin);
  const { number } = await getPayrollBatch(test.db, id, admin.id);
  return { id, number, lines: await linesOf(id) };
}

const pay = (batchId: string) =>
  postPayroll(test.db, services, batchId, { chunkLines: CHUNK_LINES });
const retry = (id: string) =>
  withTx(test.db, (tx) => payrollActs.retryFailed(tx, services, { actor: admin }, { id }));

/** Puts another account behind a wallet. */
async function changeAccount(line: Line, account: { kind: string; currency: string }) {
  const id = await withTx(test.db, (tx) => openAccount(tx, { ...account, ownerId: line.userId }));
  await owner.query('UPDATE wallet SET ledger_account_id = $1 WHERE id = $2', [id, line.walletId]);
}

/** A fault of a line, and the way it is made. */
const FAULTS = {
  other_currency: (line: Line) => changeAccount(line, { kind: 'salary', currency: 'EUR' }),
  account_refused: (line: Line) => changeAccount(line, { kind: 'frozen', currency: 'USD' }),
  wallet_closed: (line: Line) =>
    sql`UPDATE wallet SET closed_at = now() WHERE id = ${line.walletId}`.execute(test.db),
  reference_used: async (line: Line, number: string) => {
    const reference = lineReference({ number, fundingType: null }, line.lineNumber);
    const other = { ...transfer(fundingId, line.ledgerAccountId, 1n), reference };
    await withTx(test.db, (tx) => post(tx, [{ ...other, subjectId: newId() }]));
  },
} satisfies Partial<Record<PayrollLineReason, (line: Line, number: string) => Promise<unknown>>>;

/** As a posting whose mark on the line was lost. */
async function postBehindItsBack(line: Line, number: string): Promise<void> {
  const posting = {
    ...transfer(fundingId, line.ledgerAccountId, PAYROLL_AMOUNT_MINOR, 'payroll'),
    reference: lineReference({ number, fundingType: null }, line.lineNumber),
    subjectId: line.id,
  };
  await withTx(test.db, (tx) => post(tx, [posting]));
}

/** Lets payroll funding pay that many lines more; null: any number. */
async function limitFunding(lines: number | null): Promise<void> {
  const client = await owner.connect();
  await client.query('BEGIN');
  await client.query(`SELECT ledger_door('open')`);
  await client.query(
    'UPDATE ledger_account SET min_available = posted - $2::bigint WHERE id = $1',
    [fundingId, lines === null ? null : (BigInt(lines) * PAYROLL_AMOUNT_MINOR).toString()],
  );
  await client.query('COMMIT');
  client.release();
}

async function expectSound(batchId: string, paidLines: number): Promise<void> {
  const movedMinor = BigInt(paidLines) * PAYROLL_AMOUNT_MINOR;
  expect(await accountForPayroll(test.db, batchId)).toMatchObject({
    paidLines,
    losses: 0,
    doubles: 0,
    movedMinor,
    batchPaidMinor: movedMinor,
    notifications: paidLines,
  });
}

describe('a line that the ledger refuses', () => {
  it.each(['other_currency', 'account_refused', 'reference_used'] as const)(
    'fails alone: %s',
    async (reason) => {
      const { id, number, lines } = await makeBatch(30);
      const culprit = lines[20] as Line;
      await FAULTS[reason](culprit, number);
      await pay(id);

      expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
        status: 'completed',
        paidCount: 29,
        failedCount: 1,
      });
      const failed = (await linesOf(id)).filter((line) => line.status !== 'processed');
      expect(failed).toMatchObject([{ id: culprit.id, status: 'failed', reason }]);
      await expectSound(id, 29);
    },
  );

  it('fails alone: its account is missing', async () => {
    const { id, lines } = await makeBatch(3);
    await owner.query('UPDATE wallet SET ledger_account_id = $1 WHERE id = $2', [
      newId(),
      lines[1]?.walletId,
    ]);
    await pay(id);
    expect((await linesOf(id)).map(({ reason }) => reason)).toEqual([
      null,
      'account_refused',
      null,
    ]);
    await expectSound(id, 2);
  });

  it('can be retried once what was wrong is put right', async () => {
    const { id, lines } = await makeBatch(5);
    await FAULTS.account_refused(lines[2] as Line);
    await pay(id);
    expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
      paidCount: 4,
      failedCount: 1,
    });
    await changeAccount(lines[2] as Line, { kind: 'salary', currency: 'USD' });
    await retry(id);
    await pay(id);
    expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
      paidCount: 5,
      failedCount: 0,
    });
    await expectSound(id, 5);
  });

  it('does not keep the batch from failing when nobody can be paid', async () => {
    const { id } = await makeBatch(20);
    await limitFunding(0);
    await pay(id);
    await limitFunding(null);
    expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
      status: 'failed',
      paidCount: 0,
      failedCount: 20,
    });
  });
});

it('pays as far as funding reaches, and the rest when there is more', async () => {
  const { id } = await makeBatch(506);
  await limitFunding(250);
  await pay(id);
  expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
    status: 'completed',
    paidCount: 250,
    failedCount: 256,
  });
  const reasons = (await linesOf(id)).map(({ reason }) => reason);
  expect(new Set(reasons.slice(0, 250))).toEqual(new Set([null]));
  expect(new Set(reasons.slice(250))).toEqual(new Set(['funding_exhausted']));
  await limitFunding(null);
  await retry(id);
  await pay(id);
  expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
    paidCount: 506,
    failedCount: 0,
  });
  await expectSound(id, 506);
});

describe('a line whose transaction is in the ledger already', () => {
  it('is recognised as paid and not paid again', async () => {
    const { id, number, lines } = await makeBatch(20);
    for (const at of [0, 7, 19]) await postBehindItsBack(lines[at] as Line, number);
    await pay(id);
    expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
      paidCount: 20,
      failedCount: 0,
    });
    await expectSound(id, 20);
  });

  it('is not notified a second time', async () => {
    const { id, number, lines } = await makeBatch(3);
    const [, line] = lines as [Line, Line, Line];
    await postBehindItsBack(line, number);
    await sql`INSERT INTO notification (id, user_id, kind, type, title, message, related_id)
              VALUES (${line.id}, ${line.userId}, 'payroll-received', 'deposit', 'Payroll received', '', ${line.id})`.execute(
      test.db,
    );
    await pay(id);
    await expectSound(id, 3);
  });

  it('is not taken for paid when that was reversed', async () => {
    const { id, number, lines } = await makeBatch(3);
    const line = lines[1] as Line;
    await postBehindItsBack(line, number);
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM ledger_transaction WHERE subject_id = ${line.id}`.execute(test.db);
    const reversal = {
      transactionId: rows[0]?.id ?? '',
      reference: `R-${line.id}`,
      description: 'A mistake',
      actorId: null,
    };
    await withTx(test.db, (tx) => reverseAll(tx, [reversal]));
    await pay(id);
    expect((await linesOf(id))[1]).toMatchObject({ status: 'failed', reason: 'reference_used' });
  });
});

it('throws what is no refusal, and then has done nothing of the chunk', async () => {
  const { id, lines } = await makeBatch(10);
  await FAULTS.account_refused(lines[3] as Line);
  await owner.query('REVOKE INSERT ON notification FROM purser_app');
  await expect(pay(id)).rejects.toMatchObject({ code: '42501' });
  await owner.query('GRANT INSERT ON notification TO purser_app');
  expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
    status: 'processing',
    paidCount: 0,
  });
  await expectSound(id, 0);
  await pay(id);
  expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
    paidCount: 9,
    failedCount: 1,
  });
});

/** Each line's fate, by its number less one; the last two are no refusals. */
const fate = fc.oneof(
  { weight: 12, arbitrary: fc.constant('fine' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[])) },
  { weight: 1, arbitrary: fc.constant('paid before' as const) },
);
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;

/** Expected result of each line when funding reaches for that many. */
function expected(fates: readonly Fate[], funded: number) {
  let left = funded;
  return fates.map((each) => {
    const isExhausted = left === 0;
    if (each === 'paid before') return { status: 'processed', reasons: [null] };
    if (each === 'wallet_closed') return { status: 'failed', reasons: [each] };
    // Lines after the last that was funded are not tried, or refused for either reason.
    if (each !== 'fine') {
      return { status: 'failed', reasons: isExhausted ? [each, 'funding_exhausted'] : [each] };
    }
    if (isExhausted) return { status: 'failed', reasons: ['funding_exhausted'] };
    left -= 1;
    return { status: 'processed', reasons: [null] };
  });
}

async function expectFates(id: string, fates: readonly Fate[], funded: number): Promise<void> {
  const wanted = expected(fates, funded);
  for (const [at, line] of (await linesOf(id)).entries()) {
    expect(line.status, `line ${at + 1}, ${fates[at]}`).toBe(wanted[at]?.status);
    expect(wanted[at]?.reasons, `line ${at + 1}, ${fates[at]}`).toContain(line.reason);
  }
  const paid = wanted.filter(({ status }) => status === 'processed').length;
  expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
    status: paid > 0 ? 'completed' : 'failed',
    paidCount: paid,
    failedCount: LINES - paid,
  });
  await expectSound(id, paid);
}

it('pays every payable line once and fails every other, whichever they are', async () => {
  const fates = fc.array(fate, { minLength: LINES, maxLength: LINES });
  const funding = fc.option(fc.nat({ max: LINES }), { freq: 2, nil: null });
  await fc.assert(
    fc.asyncProperty(fates, funding, async (chosen, funded) => {
      await retireEverybody(test.db);
      const { id, number, lines } = await makeBatch(LINES);
      for (const [at, line] of lines.entries()) {
        const each = chosen[at] as Fate;
        if (each === 'paid before') await postBehindItsBack(line, number);
        else if (each !== 'fine') await FAULTS[each](line, number);
      }
      await limitFunding(funded);
      await pay(id);
      await limitFunding(null);
      await expectFates(id, chosen, funded ?? LINES);

      const { failedCount } = await getPayrollBatch(test.db, id, admin.id);
      if (failedCount === 0) return;
      await retry(id);
      await pay(id);
      await expectFates(id, chosen, LINES);
    }),
    { seed, numRuns: RUNS, endOnFailure: true },
  );
  const { problems } = await verifyLedger(test.db);
  // The catalogue is what this test has made of it.
  expect(problems.filter(({ check }) => check !== 'database-catalog')).toEqual([]);
});
