import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readOrMakeLocalSecrets } from '#server/config/local-secrets.ts';
import { withTx } from '#server/db/tx.ts';
import { freePort } from '#server/lib/free-port.ts';
import { systemClock } from '#server/lib/clock.ts';
import { createEmployeeAccount } from '#server/modules/employees/index.ts';
import { hashPassword } from '#server/modules/identity/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { openVault } from '#server/vault/store.ts';
import { seededRandom } from '#scripts/demo/random.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { TEST_PASSWORD } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import type { BenchDatabase } from '../database.ts';
import { AMOUNT_MINOR } from '../http.ts';
import { openInspector } from '../inspector.ts';
import { startSink } from '../mails.ts';
import { runPayrollFloor } from '../payroll-floor.ts';
import { runPayroll } from '../payroll.ts';
import { makeCompany } from '../people.ts';
import { serveMade } from '../serve-made.ts';
import { listen } from '../streams.ts';
import { mixedLoad, runLoad } from './load.ts';
import type { Answered, SoakCompany } from './load.ts';
import { keptHeapBytes, readBloat, takeSample } from './watch.ts';
import type { Relation, Sample, Watched } from './watch.ts';

/** Enough for all that a person pays in an hour. */
const FUNDED_MINOR = AMOUNT_MINOR * 1_000n;
const QUARTERS = 4;
/** Administrators who decide: a person's requests that move money wait for each other. */
const ADMINS = 8;

export interface SoakOptions {
  durationMs: number;
  /** Requests a second. */
  perSecond: number;
  /** Requests in progress from which the next waits; by default it never does. */
  mostRunning?: number;
  /** Numbers of people who are paid, and of those of them who request money and have an open stream. */
  people: number;
  payees: number;
  /** People who sign in and out. */
  signingIn: number;
  payrollEveryMs: number;
  sampleEveryMs: number;
  seed: number;
  /** False where only the harness is tried. */
  fsync: boolean;
  say: (sentence: string) => void;
}

export interface SoakResult extends Answered {
  durationMs: number;
  samples: Sample[];
  /** Heap of the server that a collection leaves at the end of each quarter, in megabytes. */
  keptHeapMb: number[];
  /** At the end of the second quarter, and of the last. */
  bloat: readonly [middle: Relation[], end: Relation[]];
  /** Start of each payroll, from the start of the load, and its time until all were paid. */
  payrolls: { atMs: number; tookMs: number }[];
  streams: { opened: number; stillOpen: number; events: number };
  mails: number;
  /** Findings of a verification of all books afterwards. */
  problems: string[];
}

/** Runs a company under a steady mixed load with open live streams, and watches what it uses. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { durationMs, say } = options;
  await using sink = await startSink();
  const inspectorPort = await freePort();
  say(`Making a company of ${options.people} people.`);
  await using served = await serveMade((database, url) => makeSoakCompany(database, url, options), {
    fsync: options.fsync,
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
    },
  });
  const { url, made, database, server } = served;
  await using closing = new AsyncDisposableStack();
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  closing.defer(() => client.end());
  const inspector = await openInspector(inspectorPort);
  closing.defer(() => inspector.close());
  const watched = { server, databasePid: database.pid, client, inspector };
  const listeners = await Promise.all(made.payees.map((payee) => listen(url, payee)));
  closing.defer(() => {
    for (const { response } of listeners) response.destroy();
  });

  say(`${options.perSecond} requests a second for ${durationMs / 60_000} minutes.`);
  const startedMs = performance.now();
  const random = seededRandom(options.seed);
  const over = new AbortController();
  const watching = watch(watched, options, { startedMs, signal: over.signal });
  const paying = payEvery(url, made, options, { startedMs, signal: over.signal });
  const load = runLoad(mixedLoad(url, made, random), { ...options, random });
  const answered = await load.finally(() => over.abort());
  const { samples, middle, keptHeapMb } = await watching;
  const { payrolls, faults } = await paying;
  keptHeapMb.push((await keptHeapBytes(inspector)) / 1e6);
  const end = await readBloat(client);
  const stillOpen = listeners.filter(({ response }) => !response.closed).length;
  const events = listeners.reduce((sum, { arrivedAtMs }) => sum + arrivedAtMs.length, 0);
  const { mails } = await sink.count();
  say('Verifying the ledger, and the business against it.');
  const { problems } = await database.verify();
  return {
    ...answered,
    durationMs,
    samples,
    keptHeapMb,
    payrolls,
    mails,
    bloat: [middle, end],
    faults: [...answered.faults, ...faults],
    streams: { opened: listeners.length, stillOpen, events },
    problems: problems.map(({ check, what, id }) => `${check}: ${what} (${id})`),
  };
}

interface During {
  startedMs: number;
  /** Aborted when the load is over. */
  signal: AbortSignal;
}

/** Samples of what is used, the heap at the end of each quarter but the last, and the unused space in the middle. */
async function watch(
  watched: Watched,
  { durationMs, sampleEveryMs, say }: SoakOptions,
  { startedMs, signal }: During,
): Promise<{ samples: Sample[]; middle: Relation[]; keptHeapMb: number[] }> {
  const samples: Sample[] = [];
  const keptHeapMb: number[] = [];
  let middle: Relation[] = [];
  // Each sample is taken, however late: a busy machine leaves no quarter without one.
  for (let plannedMs = 0; plannedMs < durationMs; plannedMs += sampleEveryMs) {
    const waitMs = startedMs + plannedMs - performance.now();
    if (waitMs > 0) await sleep(waitMs, null, { signal }).catch(() => undefined);
    samples.push(await takeSample(watched, plannedMs));
    const over = Math.floor((plannedMs * QUARTERS) / durationMs);
    if (over > keptHeapMb.length) {
      keptHeapMb.push((await keptHeapBytes(watched.inspector)) / 1e6);
      say(`Quarter ${over} is over.`);
      if (over === QUARTERS / 2) middle = await readBloat(watched.client);
    }
  }
  return { samples, keptHeapMb, middle };
}

/** Pays everybody again and again; the first time after half a pause, so that each quarter has as many payrolls. */
async function payEvery(
  url: string,
  company: SoakCompany,
  { durationMs, payrollEveryMs }: SoakOptions,
  { startedMs, signal }: During,
): Promise<{ payrolls: SoakResult['payrolls']; faults: string[] }> {
  const payrolls: SoakResult['payrolls'] = [];
  const faults: string[] = [];
  for (let planned = payrollEveryMs / 2; planned < durationMs; planned += payrollEveryMs) {
    const waitMs = startedMs + planned - performance.now();
    await sleep(Math.max(0, waitMs), null, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const atMs = performance.now() - startedMs;
    try {
      payrolls.push({ atMs, tookMs: await runPayroll(url, company) });
    } catch (error) {
      faults.push(`Payroll: ${String(error).slice(0, 300)}`);
    }
  }
  return { payrolls, faults };
}

/** People of the bench with money, payees outside for bills, and others who sign in with a password. */
async function makeSoakCompany(
  database: BenchDatabase,
  url: string,
  { people, payees, signingIn }: SoakOptions,
): Promise<SoakCompany> {
  const { db, dataDir, ownerUrl } = database;
  const vault = await openVault(db, readOrMakeLocalSecrets(dataDir).masterKeys);
  const services = { ...createTestServices(), clock: systemClock, vault };
  const system = { actor: 'system' } as const;
  await withTx(db, (tx) => updateSettings(tx, services, system, { payoutCoolingHours: 0 }));
  await offerDeposits(db, services);
  const company = await makeCompany(database, { people, payees, admins: ADMINS, url });
  const passwordHash = await hashPassword(TEST_PASSWORD);
  const addresses: string[] = [];
  for (let index = 0; index < signingIn; index += 1) {
    const email = `signs-in.${index}@payroll.test`;
    const person = { firstName: 'Signs', lastName: `In${index}`, email, passwordHash };
    await withTx(db, (tx) => createEmployeeAccount(tx, services, system, person));
    addresses.push(email);
  }
  await runPayrollFloor(ownerUrl, {
    adminId: company.admin.id,
    pay: { amountMinor: FUNDED_MINOR },
    chunkLines: 1_000,
  });
  const outside = new Map<string, string>();
  for (const { userId } of company.payees) {
    const actor = { id: userId, role: 'employee', name: 'Person' } as const;
    outside.set(userId, await outsidePayee(db, services, { actor }));
  }
  const [first, ...others] = company.payees;
  if (first === undefined) throw new Error('nobody requests money');
  return { ...company, payees: [first, ...others], outside, signingIn: addresses };
}
