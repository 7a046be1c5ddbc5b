import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';
import { chaosReport, isSound } from './report.ts';

/** The short form of `npm run chaos`: a database, a server and a clock that fail. */
test('nothing is lost, duplicated or invented while database and servers die', async () => {
  const seed = Number(process.env['PURSER_CHAOS_SEED'] ?? 20_261_121);
  const result = await runChaos({
    seed,
    cycles: ['clock in a closed month', 'clock jumps', 'postmaster killed'],
    everyMs: 3_000,
    payees: 4,
    employees: 100,
    payrollEveryMs: 3_000,
    deposits: 40,
    log: join(tmpdir(), `purser-chaos-test-${process.pid}.log`),
    signal: new AbortController().signal,
    say: () => undefined,
  });
  const report = chaosReport(result);
  console.log(report);
  expect(isSound(result), `seed ${seed}\n${report}`).toBe(true);
  expect(result.cycles).toHaveLength(3);
  expect(result.acknowledged).toBeGreaterThan(50);
}, 600_000);
