import { expect, test } from 'vitest';
import { seededRandom } from '#scripts/demo/random.ts';
import { runLoad } from './load.ts';
import { soakFigures } from './report.ts';
import { runSoak } from './soak.ts';

/** The short form of `npm run bench -- --soak`: too short for its ratios, long enough for each kind of request. */
test('a company under a mixed load fails no request and keeps its streams and its books', async () => {
  const result = await runSoak({
    durationMs: 8_000,
    perSecond: 30,
    // A machine that is too busy for the rate is no fault of the server: more would wait in vain for a connection.
    mostRunning: 8,
    people: 40,
    payees: 12,
    signingIn: 4,
    payrollEveryMs: 4_000,
    sampleEveryMs: 500,
    seed: 7,
    fsync: false,
    say: () => undefined,
  });
  expect(result.faults).toEqual([]);
  expect(result.problems).toEqual([]);
  expect(result.arrivals).toHaveLength(240);
  expect(new Set(result.arrivals.map(({ kind }) => kind)).size).toBe(11);
  // On a busy machine one may be left out: the next begins when the one before has ended.
  expect(result.payrolls.length).toBeGreaterThan(0);
  expect(result.streams).toMatchObject({ opened: 12, stillOpen: 12 });
  expect(result.streams.events).toBeGreaterThan(0);
  const figures = soakFigures(result);
  expect(figures.filter(({ measured }) => measured.includes('NaN'))).toEqual([]);
}, 600_000);

test('a request that the server keeps waiting is measured from its planned time, and so are those behind it', async () => {
  const { promise: blocked, resolve } = Promise.withResolvers<void>();
  let waits: NodeJS.Timeout | undefined;
  const send = () => {
    // From the first request on: the load may begin some time after this test, on a busy machine.
    waits ??= setTimeout(resolve, 300);
    return blocked;
  };
  const kind = { name: 'Waits', share: 1, send };
  const options = { perSecond: 100, durationMs: 200, random: seededRandom(1) };
  const { arrivals } = await runLoad([kind], options);
  expect(arrivals).toHaveLength(20);
  for (const { plannedMs, tookMs } of arrivals) {
    expect(plannedMs + tookMs).toBeGreaterThanOrEqual(299);
  }
});
