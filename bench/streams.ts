import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENTS_PATH } from '#contract/paths.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { ask } from './http.ts';
import { makeCompany } from './people.ts';
import type { Payee } from './people.ts';
import { processorMs } from './processor-time.ts';
import { atMost, conclude, milliseconds, percentile } from './report.ts';
import type { Figure } from './report.ts';
import { serveMade } from './serve-made.ts';
import type { ServedData } from './serve-made.ts';

const STREAMS = 200;
/** Number of people among them with open streams in which nothing may arrive. */
const QUIET = 20;
const EVENTS_PER_SECOND = 100;
const SECONDS = 20;
const WARM_UP_SECONDS = 5;
/** The relay checks every 200 ms, and delivers a change in progress at the next turn. */
const MOST_DELAY_P99_MS = 1_000;
const MOST_PROCESSOR_MS = 1;
const MOST_KB_PER_STREAM = 100;

/** A person with an open stream, and the arrival time of each event. */
export interface Listener {
  payee: Payee;
  arrivedAtMs: number[];
  /** Time just before the commit of this person's last change. */
  causedAtMs: number[];
  response: IncomingMessage;
}

/**
 * `npm run bench -- --streams`: 200 people with a live stream each, of whom 180 have a change in
 * turn. Processor time is that of server and database, less their time while nothing changes.
 *
 * @returns true if all of it met its target
 */
export async function benchStreams(say: (sentence: string) => void): Promise<boolean> {
  await using served = await serveMade(
    (database, url) => makeCompany(database, { people: STREAMS, payees: STREAMS, url }),
    { fsync: true },
  );
  const { server } = served;
  await warmUp(served);
  const before = server.residentBytes() ?? NaN;
  say(`Opening ${STREAMS} streams.`);
  const listeners = await Promise.all(served.made.payees.map((payee) => listen(served.url, payee)));
  const perStreamKb = ((server.residentBytes() ?? NaN) - before) / 1_000 / STREAMS;

  say(`Nothing changes, for ${SECONDS} s; then ${EVENTS_PER_SECOND} changes a second, as long.`);
  const idleMs = await processorTimeOf(served, () => sleep(SECONDS * 1_000));
  const listening = listeners.slice(QUIET);
  const busyMs = await processorTimeOf(served, () => causeChanges(served.database.db, listening));
  await sleep(2 * MOST_DELAY_P99_MS);
  const quietKb = ((server.residentBytes() ?? NaN) - before) / 1_000 / STREAMS;
  for (const { response } of listeners) response.destroy();

  const caused = listening.reduce((sum, { causedAtMs }) => sum + causedAtMs.length, 0);
  const delays = listening.flatMap(delaysOf);
  const strayed = listeners
    .slice(0, QUIET)
    .reduce((sum, { arrivedAtMs }) => sum + arrivedAtMs.length, 0);
  const figures: Figure[] = [
    atMost('Memory of a stream, once open', perStreamKb, MOST_KB_PER_STREAM, ' KB'),
    { what: 'The same after all events', measured: `${quietKb.toFixed(0)} KB` },
    {
      what: 'Processor time while nothing changes, of a second',
      measured: milliseconds(idleMs / SECONDS),
    },
    { what: 'Changes', measured: `${caused} in ${SECONDS} s` },
    atMost(
      'Processor time of one, with its arrival',
      (busyMs - idleMs) / caused,
      MOST_PROCESSOR_MS,
      ' ms',
    ),
    { what: 'From commit to arrival, p50', measured: milliseconds(percentile(delays, 0.5)) },
    atMost('p99', percentile(delays, 0.99), MOST_DELAY_P99_MS, ' ms'),
    atMost('Changes that did not arrive', caused - delays.length, 0, ''),
    atMost('Events for who has no change', strayed, 0, ''),
  ];
  return conclude(figures, say);
}

/** The bench measures a program that has run for a while. */
async function warmUp({ url, made }: ServedData<{ payees: readonly Payee[] }>): Promise<void> {
  for (const { cookie } of made.payees) await ask(url, '/api/session', cookie);
  for (const payee of made.payees.slice(0, QUIET)) (await listen(url, payee)).response.destroy();
  await sleep(WARM_UP_SECONDS * 1_000);
}

/** Opens a person's stream, as a browser does, and waits for its first bytes. */
export function listen(url: string, payee: Payee): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const request = get(url + EVENTS_PATH, { headers: { cookie: payee.cookie }, agent: false });
    request.once('error', reject);
    request.once('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`stream: ${response.statusCode}`));
      const listener: Listener = { payee, arrivedAtMs: [], causedAtMs: [], response };
      response.setEncoding('utf8');
      response.once('data', () => resolve(listener));
      response.on('data', (text: string) => {
        const count = text.split('event: changed').length - 1;
        for (let turn = 0; turn < count; turn += 1) listener.arrivedAtMs.push(performance.now());
      });
      // The bench itself ends the stream.
      response.on('error', () => undefined);
    });
  });
}

/** One person after the other, so that nobody has two changes that arrive as one. */
async function causeChanges(db: Db, listeners: readonly Listener[]): Promise<void> {
  const startedAt = performance.now();
  for (let count = 0; count < SECONDS * EVENTS_PER_SECOND; count += 1) {
    const listener = listeners[count % listeners.length];
    if (listener === undefined) throw new Error('nobody listens');
    const waitMs = startedAt + (count * 1_000) / EVENTS_PER_SECOND - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    listener.causedAtMs.push(performance.now());
    await withTx(db, async (tx) => {
      publish(tx, { topic: 'wallets', userId: listener.payee.userId });
    });
  }
}

/** Time until each change arrived; missing ones are left out. */
function delaysOf({ causedAtMs, arrivedAtMs }: Listener): number[] {
  return causedAtMs.flatMap((at, index) => {
    const next = causedAtMs[index + 1] ?? Infinity;
    const arrived = arrivedAtMs.find((time) => time >= at && time < next);
    return arrived === undefined ? [] : [arrived - at];
  });
}

async function processorTimeOf(
  { server, database }: ServedData<unknown>,
  work: () => Promise<void>,
): Promise<number> {
  const pids = [server.pid, database.pid];
  const before = processorMs(pids);
  await work();
  return processorMs(pids) - before;
}
