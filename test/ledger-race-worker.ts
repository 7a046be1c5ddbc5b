/**
 * One of several processes that move money between the same few accounts concurrently: see
 * server/modules/ledger/race.test.ts. Reads a RaceOrder as JSON from its first argument and writes
 * what the ledger acknowledged, a RaceReport, to standard output.
 */
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import {
  captureHold,
  LedgerError,
  placeHold,
  post,
  releaseHold,
} from '#server/modules/ledger/index.ts';
import { transfer } from '#test/ledger-postings.ts';

export interface RaceOrder {
  url: string;
  accountIds: string[];
  /** Holds that every process tries to end: one of them may. */
  sharedHoldIds: string[];
  /** Account that takes captured money. */
  sinkId: string;
  /** Steps of each of the workers in this process. */
  steps: number;
  workers: number;
}

/** Money moved by acknowledged steps; amounts are decimal strings of minor units. */
export interface RaceReport {
  /** Ids of transactions. */
  posted: string[];
  /** Net change of each account by them. */
  moved: Record<string, string>;
  /** Holds placed and left in place, with account and amount. */
  held: { id: string; accountId: string; amountMinor: string }[];
  /** Shared holds that this process ended, and whether by capture. */
  ended: { id: string; isCapture: boolean }[];
  /** Refusals by code. */
  refused: Record<string, number>;
}

const order = JSON.parse(process.argv[2] ?? '') as RaceOrder;
const pool = createPool({ url: order.url, max: order.workers });
const db = createDb(pool);
const moved = new Map<string, bigint>();
const report: RaceReport = { posted: [], moved: {}, held: [], ended: [], refused: {} };

function random<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

/** True when it was committed; a refusal is counted, anything else ends this process. */
async function attempt(work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await withTx(db, work);
    return true;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    report.refused[error.code] = (report.refused[error.code] ?? 0) + 1;
    return false;
  }
}

function acknowledge(posting: ReturnType<typeof transfer>): void {
  report.posted.push(posting.id);
  for (const { accountId, amountMinor } of posting.entries) {
    moved.set(accountId, (moved.get(accountId) ?? 0n) + amountMinor);
  }
}

const randomTransfer = () =>
  transfer(
    random(order.accountIds),
    random(order.accountIds),
    BigInt(1 + Math.floor(Math.random() * 400)),
  );

async function moveMoney(): Promise<void> {
  const batch = Array.from({ length: random([1, 1, 1, 4]) }, randomTransfer);
  if (await attempt((tx) => post(tx, batch))) batch.forEach(acknowledge);
}

/** Places a hold and ends it, or leaves it. */
async function holdMoney(): Promise<void> {
  const hold = transfer(random(order.accountIds), order.sinkId, 50n);
  const accountId = hold.entries[0]?.accountId ?? '';
  const { id, reference } = hold;
  const isPlaced = await attempt((tx) =>
    placeHold(tx, { id, accountId, amountMinor: 50n, reference }),
  );
  if (!isPlaced) return;
  const end = random(['release', 'capture', 'leave']);
  if (end === 'leave') report.held.push({ id, accountId, amountMinor: '50' });
  if (end === 'release') await attempt((tx) => releaseHold(tx, id));
  if (end === 'capture' && (await attempt((tx) => captureHold(tx, id, hold)))) acknowledge(hold);
}

/** Tries to end a hold that all processes know; it is on the first account. */
async function endSharedHold(): Promise<void> {
  const id = random(order.sharedHoldIds);
  const isCapture = random([true, false]);
  const payout = transfer(order.accountIds[0] ?? '', order.sinkId, 10n);
  const isEnded = await attempt((tx) =>
    isCapture ? captureHold(tx, id, payout) : releaseHold(tx, id),
  );
  if (!isEnded) return;
  report.ended.push({ id, isCapture });
  if (isCapture) acknowledge(payout);
}

async function race(): Promise<void> {
  for (let step = 0; step < order.steps; step += 1) {
    await random([moveMoney, moveMoney, holdMoney, endSharedHold])();
  }
}

await Promise.all(Array.from({ length: order.workers }, race));
await pool.end();
report.moved = Object.fromEntries([...moved].map(([id, amount]) => [id, amount.toString()]));
process.stdout.write(JSON.stringify(report));
