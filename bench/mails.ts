import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedEmployees } from '#test/factories/payroll.ts';
import { ask } from './http.ts';
import { runPayroll } from './payroll.ts';
import { makeCompany } from './people.ts';
import { processorMs } from './processor-time.ts';
import { atMost, conclude, mean, milliseconds, percentile, seconds } from './report.ts';
import type { Figure } from './report.ts';
import { serveMade } from './serve-made.ts';
import type { SinkMessage, SinkRequest } from './smtp-sink.ts';

/** Fewer than a network may request in an hour. */
const RESETS = 40;
const RESET_PAUSE_MS = 2_500;
const MOST_RESET_MS = 5_000;
/**
 * Ratio of the last fifth of the mails to the second: a larger one would mean that the cost grows
 * with their number.
 */
const MOST_GROWTH_RATIO = 1.25;
const SAMPLE_MS = 500;
/** Time without a new mail after which all have arrived. */
const SETTLED_MS = 3_000;
const STALLED_MS = 60_000;

type Counted = Extract<SinkMessage, { counted: unknown }>['counted'];

/**
 * `npm run bench -- --mails`: pays everybody over HTTP and waits until their mails are in a mail
 * server in a separate process. At the same time other people request a new password, and their
 * mails are timed.
 *
 * @returns true if all of it met its target
 */
export async function benchMails(
  people: number,
  say: (sentence: string) => void,
): Promise<boolean> {
  await using sink = await startSink();
  await using served = await serveMade(
    async (database, url) => {
      const company = await makeCompany(database, { people, payees: 0, url });
      // People without a wallet are not paid, so a mail to them is the one they requested.
      const others = await seedEmployees(database.db, { count: RESETS, walletType: null });
      return { company, asking: others.map(({ id }) => `${id}@payroll.test`) };
    },
    { fsync: true, environment: { SMTP_URL: `smtp://127.0.0.1:${sink.port}` } },
  );
  const { url, server, database, made } = served;
  // The admin is notified that the payroll is completed.
  sink.watch([...made.asking, `${made.company.admin.id}@payroll.test`]);
  say(`Paying ${people} people.`);
  await runPayroll(url, made.company);

  say('Their mails leave.');
  const pids = [server.pid, database.pid];
  const usedBefore = processorMs(pids);
  const startedAt = performance.now();
  const progress = { isOver: false };
  const resets = askForPasswords(url, made.asking, progress);
  const residentMb: { mails: number; mb: number }[] = [];
  const { counted, tookMs } = await untilAllArrived(sink, people, ({ mails }) =>
    residentMb.push({ mails, mb: (server.residentBytes() ?? NaN) / 1e6 }),
  ).then((last) => ({ counted: last.counted, tookMs: last.atMs - startedAt }));
  const usedMs = processorMs(pids) - usedBefore;
  progress.isOver = true;
  const askedAt = await resets;
  await sleep(MOST_RESET_MS);

  const delays = Array.from(
    askedAt,
    ([address, atMs]) => (sink.arrivedAtMs(address) ?? NaN) - atMs,
  );
  const arrived = delays.filter((delay) => !Number.isNaN(delay));
  const residentOf = (from: number, to: number) =>
    mean(
      residentMb
        .filter(({ mails }) => mails >= from * people && mails <= to * people)
        .map(({ mb }) => mb),
    );
  const figures: Figure[] = [
    { what: 'Mails of the payroll', measured: String(counted.mails) },
    { what: 'From its end until the last is taken', measured: seconds(tookMs) },
    { what: 'Rate', measured: `${((counted.mails * 1_000) / tookMs).toFixed(0)} / s` },
    { what: 'Connections to the mail server, at most', measured: String(counted.connections) },
    { what: 'Processor time of a mail', measured: milliseconds(usedMs / counted.mails) },
    atMost('Mails to one person', counted.mostToOne, 1, ''),
    atMost('People without a mail', people - counted.addresses, 0, ''),
    { what: 'Asked for a new password during it', measured: String(askedAt.size) },
    atMost('Of these without a mail', askedAt.size - arrived.length, 0, ''),
    { what: 'Their mails, p50', measured: milliseconds(percentile(arrived, 0.5)) },
    atMost('The slowest', Math.max(...arrived), MOST_RESET_MS, ' ms'),
    {
      what: 'Server, resident at most',
      measured: `${residentMbOf(server.peakResidentBytes())} MB`,
    },
    atMost(
      'Resident, last fifth / second',
      residentOf(0.8, 1) / residentOf(0.2, 0.4),
      MOST_GROWTH_RATIO,
      ' x',
    ),
  ];
  return conclude(figures, say);
}

function residentMbOf(bytes: number | undefined): string {
  return bytes === undefined ? 'unknown' : (bytes / 1e6).toFixed(0);
}

/** One after the other, each for another account; returns the time just before each request. */
async function askForPasswords(
  url: string,
  addresses: readonly string[],
  progress: { readonly isOver: boolean },
): Promise<ReadonlyMap<string, number>> {
  const askedAt = new Map<string, number>();
  for (const email of addresses) {
    if (progress.isOver) break;
    askedAt.set(email, Date.now());
    await ask(url, '/api/auth/forgot-password', '', JSON.stringify({ email }));
    await sleep(RESET_PAUSE_MS);
  }
  return askedAt;
}

/** @throws when no further mail arrives for a minute */
async function untilAllArrived(
  sink: Sink,
  people: number,
  look: (counted: Counted) => void,
): Promise<{ counted: Counted; atMs: number }> {
  let last = { mails: 0, atMs: performance.now() };
  for (;;) {
    const counted = await sink.count();
    look(counted);
    const now = performance.now();
    if (counted.mails > last.mails) last = { mails: counted.mails, atMs: now };
    const waitedMs = now - last.atMs;
    if (counted.mails >= people && waitedMs > SETTLED_MS) return { counted, atMs: last.atMs };
    if (waitedMs > STALLED_MS) throw new Error(`Only ${counted.mails} mails arrived`);
    await sleep(SAMPLE_MS);
  }
}

interface Sink extends AsyncDisposable {
  port: number;
  watch(addresses: readonly string[]): void;
  /** Time when the mail to a watched address arrived. */
  arrivedAtMs(address: string): number | undefined;
  count(): Promise<Counted>;
}

/** Starts a mail server that accepts everything, in a process of its own. */
export async function startSink(): Promise<Sink> {
  const child = fork(join(import.meta.dirname, 'smtp-sink.ts'));
  const arrived = new Map<string, number>();
  const listening = Promise.withResolvers<number>();
  let counting = Promise.withResolvers<Counted>();
  child.on('message', (message: SinkMessage) => {
    if ('listening' in message) listening.resolve(message.listening);
    else if ('watched' in message) arrived.set(message.watched, message.atMs);
    else counting.resolve(message.counted);
  });
  child.once('exit', (code) => listening.reject(new Error(`The mail server ended: ${code}`)));
  const send = (request: SinkRequest) => child.send(request);
  return {
    port: await listening.promise,
    watch: (watch) => send({ watch }),
    arrivedAtMs: (address) => arrived.get(address),
    count() {
      counting = Promise.withResolvers();
      send({ report: true });
      return counting.promise;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
