import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';
import { chaosReport, isSound } from './report.ts';

// They end what hangs and measure nothing: a machine whose load was 16 took 194 s. The run gives up before the test, and says why.
const SETTLE_WITHIN_MS = 300_000;
const RUN_WITHIN_MS = 1_500_000;
const TEST_WITHIN_MS = 1_800_000;

/** The short form of `npm run chaos`: a database, a server and a clock that fail. */
test(
  'nothing is lost, duplicated or invented while database and servers die',
  async () => {
    const seed = Number(process.env['PURSER_CHAOS_SEED'] ?? 20_261_121);
    const startedMs = performance.now();
    const said: string[] = [];
    const say = (sentence: string) =>
      void said.push(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s: ${sentence}`);
    const result = await runChaos({
      seed,
      cycles: ['clock in a closed month', 'clock jumps', 'postmaster killed'],
      everyMs: 3_000,
      payees: 4,
      employees: 100,
      payrollEveryMs: 3_000,
      deposits: 40,
      log: join(tmpdir(), `purser-chaos-test-${process.pid}.log`),
      settleWithinMs: SETTLE_WITHIN_MS,
      signal: AbortSignal.timeout(RUN_WITHIN_MS),
      say,
    }).catch((error: unknown) => {
      say('It failed.');
      throw new Error([`seed ${seed}: ${String(error)}`, ...said].join('\n'), { cause: error });
    });
    const report = [...said, chaosReport(result)].join('\n');
    console.log(report);
    expect(isSound(result), `seed ${seed}\n${report}`).toBe(true);
    expect(result.cycles).toHaveLength(3);
    expect(result.acknowledged).toBeGreaterThan(50);
  },
  TEST_WITHIN_MS,
);
