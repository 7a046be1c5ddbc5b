import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { actingAsApp, migrate } from '#server/db/migrate.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import type { Db } from '#server/db/tx.ts';
import { seededRandom } from '#scripts/demo/random.ts';
import { startOnNewer, unpackVersion } from '#scripts/former-version.ts';
import { openOwner } from '#test/unguarded.ts';
import { compare } from './accounts.ts';
import type { Findings } from './accounts.ts';
import { createClient } from './client.ts';
import { keepConfirmed } from './confirmed-sessions.ts';
import { runCycle } from './cycles.ts';
import type { Cycle } from './cycles.ts';
import { openReplicated } from './cluster-harm.ts';
import { NEED_DISKS, openOneDatabase } from './harm.ts';
import { countAcknowledged, createJournal, noteFunding } from './journal.ts';
import { describeJobs, hurryJobs, leftToDo } from './left-to-do.ts';
import { startLoad } from './load.ts';
import { startMailServer } from './mail-server.ts';
import { moveInClosedMonth } from './office-load.ts';
import { openChaosCompany } from './open-company.ts';
import { startServers } from './servers.ts';
import type { StartFormer } from './servers.ts';
import { mountSmallDisk } from '#test/small-disk.ts';

/** Processes of Purser on one database, and on three. */
const SERVERS = { one: 2, replicated: 3 };
/** A payroll's mails take long. */
const SETTLE_WITHIN_MS = 600_000;
const METRICS_TOKEN = 'token-of-this-run-alone';
/** Sizes of the disks that are filled. The company grows by two to five megabytes in a cycle. */
const FILES_MEGABYTES = 128;
const DATABASE_MEGABYTES = 1_500;
const MEGABYTES_OF_CYCLE = 6;

export interface ChaosOptions {
  seed: number;
  /** Three PostgreSQL under Patroni in place of one. */
  isReplicated?: boolean;
  /** Commit of a former version of Purser, of which one of the servers is. */
  former?: string;
  /** Harm of each cycle, in order. */
  cycles: readonly string[];
  everyMs: number;
  /** Numbers of people who request money, and of people who are only paid. */
  payees: number;
  employees: number;
  deposits: number;
  /** Pause between two payrolls. */
  payrollEveryMs: number;
  /** Path of the log of acknowledged actions. */
  log: string;
  /** Time in which no work may be left at the end. */
  settleWithinMs?: number;
  /** Ends the run early, and cleans up. */
  signal: AbortSignal;
  say: (sentence: string) => void;
}

export interface ChaosResult {
  cycles: Cycle[];
  acknowledged: number;
  retried: number;
  replayed: number;
  findings: Findings;
  /** Replies that no server may give. */
  faults: string[];
  /** Processes that ended by themselves, or with a code other than 0 when asked to stop. */
  processesLost: string[];
}

/**
 * Runs a company on servers and a database that are harmed again and again, then compares the acknowledged actions with
 * the database.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, say, signal } = options;
  await using closing = new AsyncDisposableStack();
  const disks = mountDisks(options.cycles);
  closing.defer(() => {
    disks?.files.close();
    disks?.database.close();
  });
  if (disks === null && options.cycles.some((harm) => NEED_DISKS.includes(harm))) {
    say('No disk is filled: this user cannot mount one.');
  }
  const mail = await startMailServer();
  closing.defer(() => mail.close());
  const { isReplicated = false } = options;
  const database = isReplicated
    ? await openReplicated()
    : await openOneDatabase(disks?.database.path);
  closing.defer(() => database.close());
  const { ownerUrl } = database;
  await migrate(ownerUrl, { log: () => undefined });
  const pool = createPool({ url: actingAsApp(ownerUrl), max: 4, applicationName: 'purser-chaos' });
  closing.defer(() => pool.end());
  const db = createDb(pool);
  const made = await openChaosCompany(
    { db, pool, ownerUrl },
    { ...options, folder: disks?.files.path },
  );
  const { company, fundedMinor, ...things } = made;
  closing.defer(() => company.close());
  const environment = {
    ...database.environment,
    SMTP_URL: mail.url,
    ...(database.replicaUrl !== undefined && {
      PURSER_REPLICA_URL: database.replicaUrl,
      PURSER_METRICS_TOKEN: METRICS_TOKEN,
    }),
  };
  const servers = await startServers(
    ...([company, isReplicated ? SERVERS.replicated : SERVERS.one, environment] as const),
    options.former === undefined ? undefined : unpackFormer(options.former, ownerUrl, closing),
  );
  // None is started again once the run has failed.
  closing.defer(async () => void (await servers.stop()));

  using journal = createJournal(options.log);
  await noteFunding(db, journal);
  for (const id of things.deposits) journal.deposits.set(id, 'pending');
  const random = seededRandom(seed);
  const network = { losesReplies: false };
  const confirmed = keepConfirmed(db);
  closing.defer(() => confirmed.stop());
  const givingUp = new AbortController();
  const client = createClient({
    origins: servers.origins,
    network,
    signal: AbortSignal.any([signal, givingUp.signal]),
    random: seededRandom(seed + 1),
    journal,
    hasTwoReleases: options.former !== undefined,
  });
  say('The company is there, and the servers serve it.');
  const parts = { ...things, company, journal };
  const { payrollEveryMs } = options;
  const load = startLoad({ ...parts, client, random: seededRandom(seed + 2), payrollEveryMs });
  const moveLate = () => moveInClosedMonth({ ...parts, random: seededRandom(seed + 3) });
  // Requests of a run that failed are not repeated until there is a reply: nothing may answer any more.
  closing.defer(async () => {
    givingUp.abort();
    await load.stop().catch(() => undefined);
  });
  const cycles: Cycle[] = [];
  for (const harm of options.cycles) {
    if (disks === null && NEED_DISKS.includes(harm)) continue;
    const startedMs = performance.now();
    const cookie = company.payees[0]?.cookie ?? '';
    await sleep(options.everyMs / 4, null, { signal });
    const cycle = await runCycle(harm, {
      database,
      servers,
      random,
      cookie,
      network,
      mail,
      disks,
      moveInClosedMonth: moveLate,
    });
    cycles.push(cycle);
    say(describeCycle(cycle, countAcknowledged(journal)));
    const restMs = options.everyMs - (performance.now() - startedMs);
    await sleep(Math.max(0, restMs), null, { signal });
  }
  say('Letting the work in progress come to its end.');
  await load.stop();
  say('Nothing is requested any more.');
  const left = await untilSettled(db, options);
  if (database.replicaUrl !== undefined) say(await describeLateReads(servers.origins));
  const exitCodes = await servers.stop();
  const findings = await compare(db, journal, {
    ids: company.payees.map(({ by }) => by.actor.id),
    fundedMinor,
  });
  findings.wrong.push(...left);
  return {
    cycles,
    acknowledged: countAcknowledged(journal),
    retried: journal.retried,
    replayed: journal.replayed,
    findings,
    faults: journal.faults,
    processesLost: [
      ...servers.ends,
      ...exitCodes.filter((code) => code !== 0).map((code) => `a server stopped with ${code}`),
    ],
  };
}

function describeCycle({ harm, withoutServiceMs, wholeAfterMs }: Cycle, acknowledged: number) {
  const [without, whole] = [withoutServiceMs, wholeAfterMs].map((ms) => (ms / 1_000).toFixed(1));
  return `  ${harm.padEnd(18)} ${without} s without service, whole ${whole} s after its end; ${acknowledged} actions so far`;
}

/** Answers to reads that may be late, by their source, since each server was started last. */
async function describeLateReads(origins: readonly string[]): Promise<string> {
  const counts = new Map<string, number>();
  for (const origin of origins) {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${origin}/metrics`, { headers })).text();
    for (const [, outcome = '', count] of text.matchAll(
      /^purser_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm,
    )) {
      counts.set(outcome, (counts.get(outcome) ?? 0) + Number(count));
    }
  }
  return `Reads that may be late: ${[...counts].map((one) => one.join(' ')).join(', ')}.`;
}

/** Waits until no work is left; returns the work that is left after all. */
async function untilSettled(
  db: Db,
  { signal, settleWithinMs = SETTLE_WITHIN_MS }: ChaosOptions,
): Promise<string[]> {
  const deadline = performance.now() + settleWithinMs;
  for (;;) {
    const left = Object.entries(await leftToDo(db)).filter(([, count]) => count > 0);
    if (left.length === 0) return [];
    if (performance.now() > deadline) {
      return [
        ...left.map(([what, count]) => `${count} left in ${what}`),
        ...(await describeJobs(db)).map((job) => `left: ${job}`),
      ];
    }
    await hurryJobs(db);
    await sleep(500, null, { signal });
  }
}

/** Unpacks a former version into a temporary folder. */
function unpackFormer(
  commit: string,
  ownerUrl: string,
  closing: AsyncDisposableStack,
): StartFormer {
  const home = mkdtempSync(join(tmpdir(), 'purser-former-'));
  closing.defer(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'former');
  unpackVersion(commit, folder);
  return async (start) => {
    const owner = openOwner(ownerUrl);
    try {
      return await startOnNewer(owner.db, folder, start);
    } finally {
      await owner.close();
    }
  };
}

/** Disks of their own for the servers' data and the database, where one of the cycles fills them. */
function mountDisks(cycles: readonly string[]) {
  if (!cycles.some((harm) => NEED_DISKS.includes(harm))) return null;
  const files = mountSmallDisk(FILES_MEGABYTES);
  if (files === null) return null;
  const database = mountSmallDisk(DATABASE_MEGABYTES + cycles.length * MEGABYTES_OF_CYCLE);
  if (database !== null) return { files, database };
  files.close();
  return null;
}
