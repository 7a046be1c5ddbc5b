import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOURNAL_ACCOUNTS, JOURNAL_FORMATS } from '#contract/closing.ts';
import { addMonths, dayIn } from '#contract/calendar.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import {
  ensureSystemAccount,
  openAccount,
  post,
  reverseAll,
} from '#server/modules/ledger/index.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { transfer } from '#test/ledger-postings.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { computeJournal, sumOf } from './journal.ts';
import type { JournalLine } from './journal.ts';
import { writeJournal } from './journal-files.ts';
import { listMonths } from './months.ts';
import type { Month } from './months.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env['FC_RUNS'] ?? 20);

const THIS = dayIn('America/New_York', new Date()).slice(0, 7);
const FIRST = addMonths(`${THIS}-01`, -2);
const SYSTEM = ['payroll_funding', 'payouts_in_transit', 'payout_clearing', 'deposit_clearing:ach'];
const KINDS = ['payroll', 'funding', 'withdrawal', 'bill', 'deposit', 'settlement', 'move'];
const chart = Object.fromEntries(
  JOURNAL_ACCOUNTS.map((account, index) => [account, { code: `${index}`, name: account }]),
);

let database: TestDb;
let people: string[];
beforeAll(async () => {
  database = await openTestDb();
  people = [];
  for (const department of ['Kitchen', 'Front', '']) {
    const { actor } = await createPersonBy(database.db);
    await sql`UPDATE app_user SET department = ${department} WHERE id = ${actor.id}`.execute(
      database.db,
    );
    people.push(actor.id);
  }
});
afterAll(() => database.close());

/** Numbers select an account: the number modulo their count. */
const posting = fc.record({
  from: fc.nat({ max: 50 }),
  to: fc.nat({ max: 50 }),
  amount: fc.bigInt({ min: 1n, max: 99_999n }),
  kind: fc.constantFrom(...KINDS),
  isOfOne: fc.boolean(),
  isReversed: fc.boolean(),
  /** The month, and a time at its beginning, within it or at its end. */
  month: fc.constantFrom(0, 1),
  time: fc.constantFrom('begins', 'within', 'ends'),
});
type Wanted = typeof posting extends fc.Arbitrary<infer T> ? T : never;

const timeIn = ({ beginsAt, endsAt }: Month, time: string) =>
  new Date(
    { begins: beginsAt.getTime(), within: beginsAt.getTime() + 9e8 }[time] ?? endsAt.getTime() - 1,
  );

/** Posts all of it in the order of its times, and returns the months. */
async function postAll(tx: Tx, wanted: readonly Wanted[]): Promise<Month[]> {
  const accounts: string[] = [];
  for (const code of SYSTEM) accounts.push(await ensureSystemAccount(tx, code, 'USD'));
  const [funding = ''] = accounts;
  const first = new Date(`${FIRST}T12:00:00.000Z`);
  for (const ownerId of people) {
    const id = await openAccount(tx, { kind: 'salary', ownerId, currency: 'USD' });
    await post(tx, [transfer(funding, id, 100_000_000n, 'payroll')], { effectiveAt: first });
    accounts.push(id);
  }
  const months = (await listMonths(tx, { clock: systemClock })).toReversed();
  const timed = wanted.map((one) => {
    const month = months[one.month];
    if (month === undefined) throw new Error('there are three months');
    return { ...one, effectiveAt: timeIn(month, one.time) };
  });
  for (const one of timed.toSorted((a, b) => +a.effectiveAt - +b.effectiveAt)) {
    const from = accounts[one.from % accounts.length] ?? '';
    const others = accounts.filter((id) => id !== from);
    const moved = transfer(from, others[one.to % others.length] ?? '', one.amount, one.kind);
    // A funding of one person, which is never of the kind of a payroll.
    const isFunding = one.isOfOne && one.kind !== 'payroll';
    const reference = isFunding ? `IF-${moved.id}` : moved.reference;
    const { effectiveAt } = one;
    await post(tx, [{ ...moved, reference }], { effectiveAt });
    if (!one.isReversed) continue;
    const back = { transactionId: moved.id, reference: `${reference}-R`, actorId: null };
    await reverseAll(tx, [{ ...back, kind: 'reversal', description: 'Back' }], { effectiveAt });
  }
  return months;
}

/** Sums of the ledger's own totals of a month, by what the journal calls the account. */
async function ledgerSums(tx: Tx, { month }: Month) {
  const { rows } = await sql<{ account: string; debit: bigint; credit: bigint }>`
    SELECT CASE WHEN owner_id IS NOT NULL THEN 'wallets' WHEN code IN ('payroll_funding', 'payouts_in_transit')
                THEN code ELSE 'bank' END AS account,
           sum(debit)::bigint AS debit, sum(credit)::bigint AS credit
      FROM ledger_total JOIN ledger_account ON id = account_id
     WHERE month = ${month}::date GROUP BY 1 ORDER BY 1`.execute(tx);
  return rows;
}

const LEDGER_NAMES: Readonly<Record<string, string>> = {
  wallets: 'wallets',
  payroll: 'payroll_funding',
  individualFunding: 'payroll_funding',
  payoutsInTransit: 'payouts_in_transit',
  companyBank: 'bank',
};

const journalSums = (lines: readonly JournalLine[]) =>
  Array.from(
    Map.groupBy(lines, ({ account }) => LEDGER_NAMES[account] ?? account),
    ([account, ofIt]) => {
      const { debitMinor, creditMinor } = sumOf(ofIt);
      return { account, debit: debitMinor, credit: creditMinor };
    },
  ).toSorted((a, b) => (a.account < b.account ? -1 : 1));

/** Thrown at the end of a run, so that nothing of it stays. */
class Finished extends Error {}

test('the journal of random postings has the sums of the ledger, equal sides and one file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(posting, { maxLength: 12 }), async (wanted) => {
      const run = withTx(database.db, async (tx) => {
        for (const month of await postAll(tx, wanted)) {
          const lines = await computeJournal(tx, month);
          expect(journalSums(lines)).toEqual(await ledgerSums(tx, month));
          expect(await computeJournal(tx, month, { addsEntries: true })).toEqual(lines);
          for (const ofKind of Map.groupBy(lines, ({ kind }) => kind).values()) {
            const { debitMinor, creditMinor } = sumOf(ofKind);
            expect(debitMinor).toBe(creditMinor);
          }
          // Rows come in another order when they are grouped by sorting.
          await sql`SET LOCAL enable_hashagg = off`.execute(tx);
          const again = await computeJournal(tx, month);
          await sql`SET LOCAL enable_hashagg = on`.execute(tx);
          for (const format of JOURNAL_FORMATS) {
            const [one, other] = [lines, again].map((rows) =>
              writeJournal(format, { ...month, lines: rows, chart }),
            );
            expect(other).toBe(one);
          }
        }
        throw new Finished();
      });
      await expect(run).rejects.toThrow(Finished);
    }),
    { seed, numRuns: RUNS, endOnFailure: true },
  );
});
