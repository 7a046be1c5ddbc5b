import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJobs } from '#server/jobs/runner.ts';
import { silentLog } from '#server/lib/log.ts';
import { createMetrics } from '#server/lib/metrics.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { watchBooks } from '#server/modules/books/index.ts';
import { watchDatabase } from '#server/metrics/watch-database.ts';
import { watchSealing } from '#server/metrics/watch-sealing.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';

let purser: TestApp;
let metrics: Metrics;
let text: string;
beforeAll(async () => {
  metrics = createMetrics({ ofProcess: true });
  purser = await openTestApp({ metrics });
  const { db, pool } = purser;
  watchDatabase(metrics, { db, pools: { requests: pool } });
  watchBooks(metrics, db);
  const sealer = {
    run: () => Promise.reject(new Error('not here')),
    handOver: () => Promise.reject(new Error('not here')),
    state: () => ({ refusal: null, exportFailingSince: null }),
  };
  watchSealing(metrics, { db, sealer });
  const jobs = startJobs({
    db,
    pool,
    metrics,
    log: silentLog,
    cron: [],
    beforeWork: () => Promise.resolve(),
    handlers: { 'send-mail': () => Promise.resolve(), 'take-bills': () => Promise.resolve() },
  });
  await jobs.part.stop();
  text = await metrics.registry.metrics();
});
afterAll(() => purser.close());

test('counters stand at 0 before their first event, with the labels that are known', async () => {
  for (const line of [
    'purser_jobs_failed_total{task="send-mail"} 0',
    'purser_jobs_failed_total{task="take-bills"} 0',
    'purser_root_exports_failed_total 0',
    ...['2xx', '3xx', '4xx', '5xx'].map((kind) => `purser_http_responses_total{class="${kind}"} 0`),
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  await purser.ask('GET', '/api/wallets');
  expect(await metrics.registry.metrics()).toContain('purser_http_responses_total{class="4xx"} 1');
});

test('a company of which nothing was verified yet has an age that an alert sees', () => {
  const [, age = ''] = /^purser_books_verified_age_seconds (\S+)$/m.exec(text) ?? [];
  expect(Number(age)).toBeGreaterThan(0);
});

/** The rules of `promtool check metrics` and of the naming practices of Prometheus. */
describe('each metric', () => {
  test('has a help and a type, and is named by its kind and its base unit', () => {
    const types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    expect(types.size).toBeGreaterThan(30);
    const helps = new Set([...text.matchAll(/^# HELP (\S+) \S.*$/gm)].map(([, name]) => name));
    const named = [...types.keys()];
    expect(named.filter((name) => !helps.has(name))).toEqual([]);
    expect(named.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
    // Every counter ends in _total, and nothing else does.
    const wrong = [...types].filter(
      ([name, type]) => (type === 'counter') !== name.endsWith('_total'),
    );
    expect(wrong).toEqual([]);
    const units = /_(?:ms|millis|milliseconds|minutes|hours|days|kb|mb|kilobytes|percent)(?:_|$)/;
    expect(named.filter((name) => units.test(name))).toEqual([]);
    const reserved = /_(?:count|sum|bucket)$/;
    expect(named.filter((name) => reserved.test(name))).toEqual([]);
    expect(named.filter((name) => name.includes(types.get(name) ?? '?'))).toEqual([]);
  });
});
