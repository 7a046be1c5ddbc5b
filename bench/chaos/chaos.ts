import { setTimeout as sleep } from 'node:timers/promises';
import { money } from '#contract/money.ts';
import { migrate } from '#server/db/migrate.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { seededRandom } from '#scripts/demo/random.ts';
import { seedEmployees } from '#test/factories/payroll.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createMoneyCompany } from '#test/money-company.ts';
import type { MoneyCompany } from '#test/money-company.ts';
import { openOwnCluster } from '#test/own-cluster.ts';
import { compare, DEPOSIT_MINOR, hurryJobs, leftToDo } from './accounts.ts';
import type { Findings } from './accounts.ts';
import { createClient } from './client.ts';
import { runCycle } from './cycles.ts';
import type { Cycle } from './cycles.ts';
import type { HarmName } from './harm.ts';
import { countAcknowledged, createJournal, noteFunding } from './journal.ts';
import { startLoad } from './load.ts';
import { startServers } from './servers.ts';

const SERVERS = 2;
const FUNDED_MINOR = 1_000_000_000n;
/** A payroll's mails take long. */
const SETTLE_WITHIN_MS = 600_000;

export interface ChaosOptions {
  seed: number;
  /** Harm of each cycle, in order. */
  cycles: readonly HarmName[];
  everyMs: number;
  /** Numbers of people who request money, and of people who are only paid. */
  payees: number;
  employees: number;
  deposits: number;
  /** Pause between two payrolls. */
  payrollEveryMs: number;
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
 * Runs a company on two servers and one database that are harmed again and again, then compares the
 * acknowledged actions with the database.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, say, signal } = options;
  await using closing = new AsyncDisposableStack();
  const cluster = await openOwnCluster({ keepsCommits: true });
  closing.defer(() => cluster.close());
  const { ownerUrl, appUrl } = cluster.database;
  await migrate(ownerUrl, { log: () => undefined });
  const pool = createPool({ url: appUrl, max: 4, applicationName: 'purser-chaos' });
  closing.defer(() => pool.end());
  const db = createDb(pool);
  const company = await createMoneyCompany(
    { db, pool, ownerUrl },
    { people: options.payees, fundedMinor: FUNDED_MINOR },
  );
  closing.defer(() => company.close());
  await seedEmployees(db, { count: options.employees });
  await offerDeposits(db, company.services);
  const deposits = await requestDeposits(db, company, options.deposits);
  // Its people were inserted without the records of their acceptance, which the servers' own
  // verification reports every five minutes and then stops payouts. The effect of the harm is
  // compared at the end instead.
  await db.updateTable('companySettings').set({ stopPayoutsWhenUnsound: false }).execute();
  const servers = await startServers(company, SERVERS);

  const journal = createJournal();
  await noteFunding(db, journal);
  const random = seededRandom(seed);
  const client = createClient({
    origins: servers.origins,
    random: seededRandom(seed + 1),
    journal,
  });
  const load = startLoad({
    company,
    deposits,
    client,
    journal,
    random: seededRandom(seed + 2),
    payrollEveryMs: options.payrollEveryMs,
  });
  closing.defer(() => load.stop());
  const cookie = company.payees[0]?.cookie ?? '';
  const cycles: Cycle[] = [];
  for (const harm of options.cycles) {
    const startedMs = performance.now();
    await sleep(options.everyMs / 4, null, { signal });
    const cycle = await runCycle(harm, { cluster, servers, random, cookie });
    cycles.push(cycle);
    say(describeCycle(cycle, countAcknowledged(journal)));
    const restMs = options.everyMs - (performance.now() - startedMs);
    await sleep(Math.max(0, restMs), null, { signal });
  }
  say('Letting the work in progress come to its end.');
  await load.stop();
  const left = await untilSettled(db, signal);
  const exitCodes = await servers.stop();
  const findings = await compare(db, journal, { company, fundedMinor: FUNDED_MINOR });
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

/** Waits until no work is left; returns the work that is left after all. */
async function untilSettled(db: Db, signal: AbortSignal): Promise<string[]> {
  const deadline = performance.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const left = Object.entries(await leftToDo(db)).filter(([, count]) => count > 0);
    if (left.length === 0) return [];
    if (performance.now() > deadline) {
      return left.map(([what, count]) => `${count} left in ${what}`);
    }
    await hurryJobs(db);
    await sleep(500, null, { signal });
  }
}

async function requestDeposits(
  db: Db,
  { payees, services }: MoneyCompany,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const payee = payees[index % payees.length];
    if (payee === undefined) break;
    const input = {
      walletId: payee.wallet.id,
      method: 'ach' as const,
      amount: money(DEPOSIT_MINOR, 'USD'),
    };
    const { id } = await withTx(db, (tx) => requestDeposit(tx, services, payee.by, input));
    ids.push(id);
  }
  return ids;
}
