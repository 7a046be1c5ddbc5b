import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import {
  fundingAccount,
  openLedgerFixture,
  openWallet,
  type LedgerFixture,
} from '#test/ledger-fixture.ts';
import type { RaceOrder, RaceReport } from '#test/ledger-race-worker.ts';
import { accountBalances, placeHold, verifyLedger } from './index.ts';

const WORKER = fileURLToPath(import.meta.resolve('#test/ledger-race-worker.ts'));
const PROCESSES = 4;
const WALLETS = 3;
const SHARED_HOLDS = 20;
const START_MINOR = 500n;

let fixture: LedgerFixture;

beforeAll(async () => {
  fixture = await openLedgerFixture();
});
afterAll(() => fixture.close());

async function runWorker(order: RaceOrder): Promise<RaceReport> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [WORKER, JSON.stringify(order)]);
  return JSON.parse(stdout) as RaceReport;
}

async function prepareRace(): Promise<RaceOrder> {
  const { db, appUrl } = fixture;
  const accountIds: string[] = [];
  for (let count = 0; count < WALLETS; count += 1) {
    accountIds.push(await openWallet(db, START_MINOR));
  }
  const [first] = accountIds;
  if (first === undefined) throw new Error('no wallet was opened');
  const sharedHoldIds = await withTx(db, async (tx) => {
    const ids: string[] = [];
    for (let count = 0; count < SHARED_HOLDS; count += 1) {
      const hold = { accountId: first, amountMinor: 10n, reference: `S-${count}` };
      ids.push(await placeHold(tx, hold));
    }
    return ids;
  });
  const sinkId = await fundingAccount(db);
  return { url: appUrl, accountIds, sharedHoldIds, sinkId, steps: 60, workers: 3 };
}

test('several processes on few accounts lose nothing and post nothing twice', async () => {
  const order = await prepareRace();
  const reports = await Promise.all(Array.from({ length: PROCESSES }, () => runWorker(order)));

  const { problems, counts } = await verifyLedger(fixture.db);
  expect(problems).toEqual([]);

  // The ledger has every acknowledged posting, and besides them only the wallets' first money.
  const posted = reports.flatMap((report) => report.posted);
  expect(new Set(posted).size).toBe(posted.length);
  expect(counts.transactions).toBe(BigInt(posted.length + WALLETS));
  const { rows } = await fixture.owner.query(
    'SELECT count(*) AS count FROM ledger_transaction WHERE id = ANY ($1)',
    [posted],
  );
  expect(rows).toEqual([{ count: BigInt(posted.length) }]);

  // No shared hold was ended twice.
  const ended = reports.flatMap((report) => report.ended.map(({ id }) => id));
  expect(new Set(ended).size).toBe(ended.length);

  const stillHeld = reports.flatMap((report) => report.held);
  const balances = await accountBalances(fixture.db, order.accountIds);
  for (const [place, id] of order.accountIds.entries()) {
    const moved = sum(reports.map((report) => BigInt(report.moved[id] ?? '0')));
    const own = stillHeld.filter(({ accountId }) => accountId === id);
    const shared = place === 0 ? BigInt(SHARED_HOLDS - ended.length) * 10n : 0n;
    expect(balances.get(id)).toMatchObject({
      postedMinor: START_MINOR + moved,
      heldMinor: sum(own.map(({ amountMinor }) => BigInt(amountMinor))) + shared,
    });
  }

  // The processes did compete: money ran short, and some holds had been ended by others.
  const refused = reports.map((report) => report.refused);
  expect(refused.some((codes) => (codes['insufficient_funds'] ?? 0) > 0)).toBe(true);
  expect(refused.some((codes) => (codes['hold_not_held'] ?? 0) > 0)).toBe(true);
});

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
