import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { programPath } from '#test/bundle-programs.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { until } from '#test/until.ts';
import { accountForPayroll, confirmPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';
import { getPayrollBatch } from './queries.ts';

/** Number of times the posters are killed; `PURSER_KILL_CYCLES=200` for a long look. */
const CYCLES = Number(process.env['PURSER_KILL_CYCLES'] ?? 15);
const CHUNK_LINES = 20;
/** Posters are killed once they have paid so many lines, or less: the batch outlives the kills. */
const MAX_PAID_LINES = 5 * CHUNK_LINES;
/** With what is paid between a look at the progress and the kill, on a quick machine. */
const LINES = 3 * MAX_PAID_LINES * CYCLES;
const MAX_LIFE_MS = 150;

let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

/** Two processes that both begin to post the batch now, past their start-up: not one while the other starts. */
async function startPosters(batchId: string): Promise<ChildProcess[]> {
  const posters = [0, 1].map(() =>
    spawn(
      process.execPath,
      [programPath('payroll-poster'), test.appUrl, batchId, String(CHUNK_LINES)],
      {
        env: childEnvironment(),
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    ),
  );
  await Promise.all(
    posters.map(async (poster) => {
      await Promise.race([once(poster.stdout, 'data'), once(poster, 'exit')]);
      if ((poster.exitCode ?? 0) > 0) throw new Error('A poster could not start');
    }),
  );
  for (const { stdin } of posters) stdin.end();
  return posters;
}

/**
 * Lets posters live for a while that is never the same, in time and in what they pay. On a busy machine all
 * would die by time before they have paid a chunk, so `hasPaid` lets them live until they have.
 */
async function live(
  paidLines: () => Promise<number>,
  { hasPaid }: { hasPaid: boolean },
): Promise<void> {
  const endMs = performance.now() + Math.random() * MAX_LIFE_MS;
  const mostLines = Math.random() * MAX_PAID_LINES;
  const isOver = async () =>
    hasPaid
      ? (await paidLines()) > mostLines
      : performance.now() >= endMs || (await paidLines()) >= mostLines;
  await until(isOver, { everyMs: 1 });
}

async function end(posters: readonly ChildProcess[], kill: boolean): Promise<void> {
  await Promise.all(
    posters.map(async (poster) => {
      if (poster.exitCode !== null || poster.signalCode !== null) return;
      const exited = once(poster, 'exit');
      if (kill) poster.kill('SIGKILL');
      await exited;
    }),
  );
}

it(
  'pays everybody exactly once however often its processes are killed',
  { timeout: 60_000 + CYCLES * 15_000 },
  async () => {
    await seedEmployees(test.db, { count: LINES });
    const batchId = await confirmPayroll(test.db, await seedAdmin(test.db));
    const progress = () => getPayrollBatch(test.db, batchId, '');

    let kills = 0;
    let killedMidway = 0;
    while ((await progress()).status === 'processing') {
      const before = await progress();
      const posters = await startPosters(batchId);
      const isKilled = kills < CYCLES;
      const paid = async () => (await progress()).paidCount - before.paidCount;
      if (isKilled) await live(paid, { hasPaid: kills % 2 === 1 });
      await end(posters, isKilled);
      const after = await progress();
      if (isKilled) kills += 1;
      if (isKilled && after.paidCount > before.paidCount && after.status === 'processing') {
        killedMidway += 1;
      }
    }

    const account = await accountForPayroll(test.db, batchId);
    const verification = await verifyLedger(test.db);
    console.log(
      `${kills} kills (${killedMidway} with chunks done before), ${account.paidLines} of ${LINES} ` +
        `lines paid, ${account.losses} losses, ${account.doubles} doubles`,
    );
    expect(account).toEqual({
      paidLines: LINES,
      losses: 0,
      doubles: 0,
      movedMinor: BigInt(LINES) * PAYROLL_AMOUNT_MINOR,
      batchPaidMinor: BigInt(LINES) * PAYROLL_AMOUNT_MINOR,
      notifications: LINES,
      mails: LINES,
    });
    expect(await progress()).toMatchObject({
      status: 'completed',
      paidCount: LINES,
      failedCount: 0,
    });
    expect(verification.problems).toEqual([]);
    expect(kills).toBe(CYCLES);
    expect(killedMidway).toBeGreaterThan(0);
  },
);
