import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstView } from '#contract/list.ts';
import { historyList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { ensureSystemAccount, post, setTimeZone } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createPayee, fundedWallet } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { getAccountSpan } from './account-span.ts';
import { ownHistory } from './own-history.ts';
import { historyScope } from './scope.ts';

/** Two entries a day, both at the same moment, for more days than are read from the front. */
const DAYS = 620;
const FIRST_DAY_MS = Date.UTC(2024, 2, 20, 3, 30);
const DAY_MS = 86_400_000;

const services = createTestServices();
let test: TestDb;
let db: Db;
let maya: Payee;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  await offerDeposits(db, services);
  services.clock.set(new Date(FIRST_DAY_MS - DAY_MS).toISOString());
  const admin = await createPersonBy(db, { role: 'admin' });
  maya = await createPayee(db, services, { admin, fundedMinor: 500_000n });
  await fundedWallet(db, services, maya.by, 30_000n, 'savings');
  await withTx(db, async (tx) => {
    const outside = await ensureSystemAccount(tx, 'test', 'USD');
    for (let day = 0; day < DAYS; day += 1) {
      const postings = [BigInt(day % 7) + 1n, -1n].map((amountMinor) => ({
        kind: amountMinor > 0n ? 'funding' : 'fee',
        reference: newId(),
        description: 'Test',
        actorId: admin.actor.id,
        subjectId: null,
        entries: [
          { accountId: maya.wallet.ledgerAccountId, amountMinor },
          { accountId: outside, amountMinor: -amountMinor },
        ],
      }));
      await post(tx, postings, { effectiveAt: new Date(FIRST_DAY_MS + day * DAY_MS) });
    }
  });
  for (const day of [100, 300, 500]) {
    services.clock.set(new Date(FIRST_DAY_MS + day * DAY_MS).toISOString());
    await refuse(admin);
  }
});
afterAll(() => test.close());

async function refuse(admin: CommandContext): Promise<void> {
  const request = { walletId: maya.wallet.id, method: 'ach', amount: money(100n, 'USD') } as const;
  await withTx(db, async (tx) => {
    const { id } = await requestDeposit(tx, services, maya.by, request);
    await depositActs.reject(tx, services, admin, { id, reason: 'Not received' });
  });
}

type Query = Parameters<typeof ownHistory.page>[1];
const FIRST = { ...firstView(historyList), page: 1, pageSize: 100 };
const scope = async () => historyScope(db, maya.by.actor.id, await readSettings(db));

/** References of a whole view, from its export, which continues from the previous row. */
async function exported(changes: Partial<Query>): Promise<string[]> {
  let csv = '';
  for await (const chunk of ownHistory.csv(db, { ...FIRST, ...changes }, await scope()))
    csv += chunk;
  const lines = csv.trimEnd().split('\r\n').slice(1);
  // Account, pay period and two moments follow it; none of these has a comma.
  return lines.map((line) => line.split(',').at(-6) ?? '');
}

describe.each<Partial<Query>>([
  {},
  { account: 'salary' },
  { account: 'savings' },
  { status: 'completed' },
  { status: 'failed' },
  { from: '2024-03-21', to: '2025-11-20' },
  { from: '2024-05-05' },
  { to: '2025-10-31', account: 'salary' },
  { from: '2025-03-01', to: '2025-03-31' },
  { from: '2025-03-02', to: '2025-03-01' },
  { type: 'withdrawal' },
  { type: 'withdrawal', from: '2024-05-05' },
  { search: 'test' },
])('a long history, %j', (changes) => {
  it('has the same rows in the same order on its pages, however far, and counts them', async () => {
    const all = await exported(changes);
    const paged: string[] = [];
    let hasMore = true;
    for (let page = 1; hasMore; page += 1) {
      const found = await ownHistory.page(db, { ...FIRST, ...changes, page }, await scope());
      paged.push(...found.items.map(({ reference }) => reference));
      hasMore = found.hasMore;
    }
    expect(paged).toEqual(all);
    const { total } = await ownHistory.count(db, { ...FIRST, ...changes }, await scope());
    expect(total).toBe(all.length);
    const beyond = { ...FIRST, ...changes, page: 10_000 };
    expect(await ownHistory.page(db, beyond, await scope())).toMatchObject({
      items: [],
      hasMore: false,
    });
  });
});

/** The four figures, by reading every entry. */
async function summed(from: string, to: string): Promise<string[]> {
  const { timeZone } = await readSettings(db);
  const { rows } = await sql<{ figures: string[] }>`
    SELECT ARRAY[
        coalesce(sum(amount) FILTER (WHERE day < since), 0),
        coalesce(sum(amount) FILTER (WHERE amount > 0 AND day BETWEEN since AND until), 0),
        coalesce(sum(amount) FILTER (WHERE amount < 0 AND day BETWEEN since AND until), 0),
        coalesce(sum(amount) FILTER (WHERE day <= until), 0)]::text[] AS figures
      FROM (SELECT amount, (effective_at AT TIME ZONE ${timeZone})::date AS day,
                   ${from === '' ? '-infinity' : from}::date AS since,
                   ${to === '' ? 'infinity' : to}::date AS until
              FROM ledger_entry WHERE account_id = ${maya.wallet.ledgerAccountId}) AS entry`.execute(
    db,
  );
  return rows[0]?.figures ?? [];
}

// The ledger counts its months in the company's time zone. A span must be right even where they
// differ.
describe.each(['America/New_York', 'Europe/Berlin', 'UTC'])(
  'the span of an account, months of %s',
  (timeZone) => {
    beforeAll(() => withTx(db, (tx) => setTimeZone(tx, timeZone)));

    it.each([
      ['', ''],
      ['2024-05-01', ''],
      ['', '2025-02-28'],
      ['2024-06-01', '2024-08-31'],
      ['2024-05-31', '2024-07-01'],
      ['2024-05-15', '2025-06-15'],
      ['2024-06-10', '2024-06-20'],
      ['2024-06-30', '2024-07-01'],
      ['2024-06-01', '2024-06-30'],
      ['2025-11-01', '9999-12-31'],
      ['0001-01-01', '2024-03-31'],
    ])('from “%s” to “%s” is the sum of its entries', async (from, to) => {
      const found = await getAccountSpan(db, await scope(), { account: 'salary', from, to });
      const { opening, moneyIn, moneyOut, closing } = found;
      const figures = [opening, moneyIn, moneyOut, closing].map(({ minor }) => minor);
      expect(figures).toEqual(await summed(from, to));
    });
  },
);
