import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { newId } from '#server/lib/ids.ts';
import { placeHold, verifyLedger } from '#server/modules/ledger/index.ts';
import { lockWallet } from '#server/modules/wallets/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { SeededEmployee } from '#test/factories/payroll.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { confirmPayroll, PAYROLL_AMOUNT_MINOR, payrollFindings } from '#test/payroll-fixture.ts';
import { postPayroll } from './index.ts';
import { getReversal } from './get-reversal.ts';
import { payrollLines, lineScope } from './line-list.ts';
import { lockLines } from './lock-lines.ts';
import { paidByPayroll } from './paid-total.ts';
import { postReversals } from './post-reversals.ts';
import { getPayrollBatch } from './queries.ts';
import { reverseBatch } from './reverse-batch.ts';
import { reverseLine } from './reverse-line.ts';

const services = { clock: systemClock };
const USD = (minor: bigint) => money(minor, 'USD');
const WHOLE = PAYROLL_AMOUNT_MINOR;
const WORDS = { reason: 'paid_twice', message: 'You were paid twice.' } as const;

let test: TestDb;
let sender: Actor;
let admin: Actor;
let people: SeededEmployee[];
let batchId: string;

beforeAll(async () => {
  test = await openTestDb();
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0`.execute(test.db);
});
afterAll(() => test.close());
beforeEach(async () => {
  await sql`UPDATE company_settings SET separate_payroll_minor = NULL`.execute(test.db);
  await retireEverybody(test.db);
  sender = await seedAdmin(test.db);
  admin = await seedAdmin(test.db, 'Theo Marchetti');
  people = await seedEmployees(test.db, { count: 3 });
  batchId = await confirmPayroll(test.db, sender);
  await postPayroll(test.db, services, batchId);
});

const personAt = (index: number) => people[index] as Required<SeededEmployee>;
const batchOf = () => getPayrollBatch(test.db, batchId, admin.id);

async function lineOf({ id }: SeededEmployee): Promise<string> {
  const line = await test.db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', batchId)
    .where('userId', '=', id)
    .executeTakeFirstOrThrow();
  return line.id;
}

async function reverse(
  person: SeededEmployee,
  { minor = WHOLE, left = WHOLE, by = admin }: { minor?: bigint; left?: bigint; by?: Actor } = {},
) {
  const id = await lineOf(person);
  return withTx(test.db, (tx) =>
    reverseLine(tx, services, { actor: by }, { id, amount: USD(minor), left: USD(left), ...WORDS }),
  );
}

const reverseAll = (after = 0, by = admin) =>
  withTx(test.db, (tx) =>
    reverseBatch(tx, services, { actor: by }, { id: batchId, after, ...WORDS }),
  );

/** Holds an amount, as a withdrawal does. */
async function hold({ id, walletId, ledgerAccountId }: Required<SeededEmployee>, minor: bigint) {
  await withTx(test.db, async (tx) => {
    await lockWallet(tx, { walletId, userId: id });
    await placeHold(tx, { accountId: ledgerAccountId, amountMinor: minor, reference: newId() });
  });
}

async function balanceOf({ ledgerAccountId }: Required<SeededEmployee>): Promise<bigint> {
  const account = await test.db
    .selectFrom('ledgerAccount')
    .select('posted')
    .where('id', '=', ledgerAccountId)
    .executeTakeFirstOrThrow();
  return account.posted;
}

/** Sets the threshold of payroll so that this much of it is left in this month. */
const setLeftOfThreshold = (minor: bigint) =>
  sql`
    UPDATE company_settings SET separate_payroll_minor = ${minor} +
           (SELECT coalesce(sum(amount_minor), 0) FROM amount_used)`.execute(test.db);

const findings = () => payrollFindings(test.db);

describe('a reversed line', () => {
  it('returns its money to payroll funding, and its employee is notified', async () => {
    const before = await paidByPayroll(test.db, { currency: 'USD' });
    const line = await reverse(personAt(0));
    expect(line).toMatchObject({ status: 'reversed', reversed: USD(WHOLE) });
    expect(line.reversals).toEqual([
      {
        amount: USD(WHOLE),
        ...WORDS,
        by: admin.name,
        at: expect.any(String),
        reference: `${line.reference}-R1`,
      },
    ]);
    expect(await balanceOf(personAt(0))).toBe(0n);
    const after = await paidByPayroll(test.db, { currency: 'USD' });
    expect(BigInt(before.minor) - BigInt(after.minor)).toBe(WHOLE);
    expect(await noticesOf(test.db, personAt(0).id, 'payroll-line-reversed')).toEqual([
      '$1,920.00 of Biweekly pay was taken back from your Salary Wallet. You were paid twice.',
    ]);
    const mails = await test.db
      .selectFrom('outbox')
      .select('id')
      .where('kind', '=', 'mail')
      .where('userId', '=', personAt(0).id)
      .execute();
    expect(mails.length).toBeGreaterThan(0);
  });

  it('is no longer paid in the sums of its batch', async () => {
    await reverse(personAt(0));
    await reverse(personAt(1), { minor: 5_000n });
    expect(await batchOf()).toMatchObject({
      paidCount: 3,
      failedCount: 0,
      reversedCount: 1,
      employees: 3,
      total: USD(3n * WHOLE),
      paidTotal: USD(3n * WHOLE),
      failedTotal: USD(0n),
      reversedTotal: USD(WHOLE + 5_000n),
    });
    const scope = await lineScope(test.db, batchId);
    const count = async (status: 'reversed' | 'processed') =>
      (await payrollLines.count(test.db, { search: '', status }, scope)).total;
    expect([await count('processed'), await count('reversed')]).toEqual([2, 1]);
    expect(await findings()).toEqual([]);
    expect((await verifyLedger(test.db)).problems).toEqual([]);
  });

  it('is taken back in parts where the wallet has less, and each refusal names what is available', async () => {
    const lucia = personAt(0);
    await hold(lucia, WHOLE - 11_840n);
    await expect(reverse(lucia)).rejects.toMatchObject({
      code: 'reversal_unfunded',
      details: { available: '$118.40' },
    });
    expect(await reverse(lucia, { minor: 11_840n })).toMatchObject({
      status: 'processed',
      reversed: USD(11_840n),
    });
    await expect(reverse(lucia, { minor: 1n })).rejects.toMatchObject({ code: 'conflict' });
    const left = WHOLE - 11_840n;
    await expect(reverse(lucia, { minor: 1n, left })).rejects.toMatchObject({
      code: 'reversal_unfunded',
      details: { available: '$0.00' },
    });
    await sql`SELECT ledger_hold_release(id) FROM ledger_hold
               WHERE account_id = ${lucia.ledgerAccountId}`.execute(test.db);
    await expect(reverse(lucia, { minor: left + 1n, left })).rejects.toMatchObject({
      code: 'amount_invalid',
    });
    const line = await reverse(lucia, { minor: left, left });
    expect([line.status, line.reversals.length]).toEqual(['reversed', 2]);
    expect(await balanceOf(lucia)).toBe(0n);
    expect(await findings()).toEqual([]);
    await expect(reverse(lucia)).rejects.toMatchObject({ code: 'payroll_line_wrong_status' });
  });

  it('stays as it is where it has no posting, which no paid line has', async () => {
    const id = await lineOf(personAt(0));
    const unposted = withTx(test.db, async (tx) => {
      const [line] = await lockLines(tx, [id]);
      if (line === undefined) throw new Error('The line is not there');
      const part = { line: { ...line, ledgerTransactionId: null }, amountMinor: WHOLE };
      await postReversals(tx, { actor: admin }, [part], {
        ...WORDS,
        at: services.clock.now(),
        used: () => ({}),
      });
    });
    await expect(unposted).rejects.toThrow('a paid line has its posting');
    expect(await batchOf()).toMatchObject({ reversedCount: 0, reversedTotal: USD(0n) });
  });

  it('is not one’s own, nor unknown, nor of a payroll that is being paid', async () => {
    const own = { ...admin, id: personAt(0).id };
    await expect(reverse(personAt(0), { by: own })).rejects.toMatchObject({ code: 'own_request' });
    const unknown = withTx(test.db, (tx) =>
      reverseLine(
        tx,
        services,
        { actor: admin },
        { id: newId(), amount: USD(1n), left: USD(1n), ...WORDS },
      ),
    );
    await expect(unknown).rejects.toMatchObject({ code: 'payroll_line_not_found' });
    await sql`UPDATE payroll_batch SET status = 'processing' WHERE id = ${batchId}`.execute(
      test.db,
    );
    await expect(reverse(personAt(0))).rejects.toMatchObject({ code: 'payroll_not_completed' });
    await sql`UPDATE payroll_batch SET status = 'completed' WHERE id = ${batchId}`.execute(test.db);
  });

  it.each([
    ['EUR', 'USD'],
    ['USD', 'EUR'],
  ] as const)('is not taken back in another currency: %s of %s', async (currency, leftCurrency) => {
    const id = await lineOf(personAt(0));
    const amounts = { amount: money(WHOLE, currency), left: money(WHOLE, leftCurrency) };
    const reversing = withTx(test.db, (tx) =>
      reverseLine(tx, services, { actor: admin }, { id, ...amounts, ...WORDS }),
    );
    await expect(reversing).rejects.toMatchObject({ code: 'amount_invalid' });
    expect(await balanceOf(personAt(0))).toBe(WHOLE);
  });

  it('takes another person than its sender from the amount on that takes two to pay', async () => {
    await sql`UPDATE company_settings SET separate_payroll_minor = ${WHOLE}`.execute(test.db);
    await expect(reverse(personAt(0), { by: sender })).rejects.toMatchObject({
      code: 'second_person_needed',
    });
    const { refusal } = await getReversal(test.db, services, await lineOf(personAt(0)), sender.id);
    expect(refusal).toContain('you sent this payroll');
    await expect(reverseAll(0, sender)).rejects.toMatchObject({ code: 'second_person_needed' });
    await sql`UPDATE company_settings SET separate_payroll_minor = ${WHOLE + 1n}`.execute(test.db);
    expect(await reverse(personAt(0), { by: sender })).toMatchObject({ status: 'reversed' });
  });

  it('counts to what its sender did alone in this month', async () => {
    await setLeftOfThreshold(2n * WHOLE + 1n);
    await reverse(personAt(0), { by: sender });
    await reverse(personAt(1), { by: sender });
    await expect(reverse(personAt(2), { by: sender })).rejects.toMatchObject({
      code: 'second_person_needed',
    });
    expect(await reverse(personAt(2))).toMatchObject({ status: 'reversed' });
    expect(await findings()).toEqual([]);
  });

  it('is compared with the threshold by what is left of it, of which each part was counted', async () => {
    await setLeftOfThreshold(WHOLE + 1n);
    expect(await reverse(personAt(0), { minor: 5_000n, by: sender })).toMatchObject({
      reversed: USD(5_000n),
    });
    const left = WHOLE - 5_000n;
    const id = await lineOf(personAt(0));
    expect((await getReversal(test.db, services, id, sender.id)).refusal).toBeNull();
    expect(await reverse(personAt(0), { minor: left, left, by: sender })).toMatchObject({
      status: 'reversed',
    });
    await expect(reverse(personAt(1), { minor: 1n, by: sender })).rejects.toMatchObject({
      code: 'second_person_needed',
    });
    expect(await findings()).toEqual([]);
  });

  it('is reversed once when two admins do at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = personAt(round % 3);
      if (round > 0 && (await balanceOf(person)) === 0n) continue;
      const results = await Promise.allSettled([
        reverse(person),
        reverse(person, { by: sender }),
        reverse(person),
      ]);
      expectOneWins(results, 'payroll_line_wrong_status');
      expect(await balanceOf(person)).toBe(0n);
    }
    expect(await findings()).toEqual([]);
  });

  it('takes the money or leaves it to a withdrawal, whichever comes first', async () => {
    for (const [index, person] of people.entries()) {
      const one = person as Required<SeededEmployee>;
      const acts = [() => reverse(one), () => hold(one, 1n)];
      const results = await Promise.allSettled(
        (index % 2 === 0 ? acts : acts.toReversed()).map((act) => act()),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const isReversed = (await balanceOf(one)) === 0n;
      const { held } = await test.db
        .selectFrom('ledgerAccount')
        .select('held')
        .where('id', '=', one.ledgerAccountId)
        .executeTakeFirstOrThrow();
      expect(held).toBe(isReversed ? 0n : 1n);
    }
    expect(await findings()).toEqual([]);
  });
});

describe('a reversed payroll', () => {
  it('takes back what is there, and names the lines whose money is gone', async () => {
    await hold(personAt(1), 1n);
    await reverse(personAt(2), { minor: 100n });
    const { count, total, kept, next, batch } = await reverseAll();
    expect([count, total, next]).toEqual([2, USD(2n * WHOLE - 100n), null]);
    expect(kept).toMatchObject([
      { employee: { id: personAt(1).id }, left: USD(WHOLE), available: USD(WHOLE - 1n) },
    ]);
    expect(batch).toMatchObject({ reversedCount: 2, reversedTotal: USD(2n * WHOLE) });
    expect((await reverseAll()).count).toBe(0);
    expect(await findings()).toEqual([]);
    expect((await verifyLedger(test.db)).problems).toEqual([]);
  });

  it('is taken back by its sender to the end where the whole of it stays below the threshold', async () => {
    await setLeftOfThreshold(3n * WHOLE);
    await expect(reverseAll(0, sender)).rejects.toMatchObject({ code: 'second_person_needed' });
    await setLeftOfThreshold(3n * WHOLE + 1n);
    await reverse(personAt(0), { by: sender });
    await reverse(personAt(1), { minor: 100n, by: sender });
    expect(await reverseAll(0, sender)).toMatchObject({ count: 2, total: USD(2n * WHOLE - 100n) });
    expect(await findings()).toEqual([]);
  });

  it.each([0, 2])(
    'takes back line %i once, also when somebody reverses it at that moment',
    async (index) => {
      const person = personAt(index);
      const acts = [() => reverse(person), () => reverseAll(), () => reverseAll(0, sender)];
      const results = await Promise.allSettled(acts.map((act) => act()));
      const [alone, ...wholes] = results;
      expect(wholes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      if (alone?.status === 'rejected') {
        expect(alone.reason).toMatchObject({ code: 'payroll_line_wrong_status' });
      }
      expect(await batchOf()).toMatchObject({ reversedCount: 3, reversedTotal: USD(3n * WHOLE) });
      for (const each of [0, 1, 2]) expect(await balanceOf(personAt(each))).toBe(0n);
      expect(await findings()).toEqual([]);
    },
  );

  it('leaves out the line of who takes it back', async () => {
    const own = { ...admin, id: personAt(0).id };
    const { count, kept } = await reverseAll(0, own);
    expect([count, kept.map(({ isOwn }) => isOwn)]).toEqual([2, [true]]);
  });
});
