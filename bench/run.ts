/**
 * `npm run bench`: measures Purser against floors measured in the same run on the same machine, in
 * ratios, because absolute times say more about the machine. Uses a new database with fsync on, and the
 * server itself in a separate process. Exits with 1 if the ledger is not sound afterwards.
 *
 *     npm run bench -- --people 10000 --seconds 5      for a quick look
 *     npm run bench -- --only requests                 or payroll: only that part
 *     npm run bench -- --lists --people 10000 --entries 500000
 *     npm run bench -- --lists --only adminListAudit   one operation of it; also of --employee
 *     npm run bench -- --lists --keep /data/company    make the large company there once, and measure it again later; also of --checks
 *     npm run bench -- --own --reads --people 20000    the reads of all screens; also with --only and --keep
 *     npm run bench -- --soak --minutes 5              a short one
 *
 * bench/modes.ts names the parts that run alone, and docs/PERFORMANCE.md has their figures.
 */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { freePort } from '#server/lib/free-port.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import { benchChecks } from './checks.ts';
import { OPENED, openBenchDatabase } from './database.ts';
import type { BenchDatabase } from './database.ts';
import { benchEmployee } from './employee.ts';
import { benchGrid } from './grid.ts';
import { AMOUNT_MINOR } from './http.ts';
import { benchImport } from './imports.ts';
import { benchLists } from './lists.ts';
import { benchMails } from './mails.ts';
import { benchOwnAmounts } from './own-amounts.ts';
import { benchOwnReads } from './own-reads.ts';
import { benchOwnServer } from './own-server.ts';
import { CONNECTIONS, runBarePostings, runMoneyRequests } from './money-requests.ts';
import { MODES } from './modes.ts';
import type { ModeName } from './modes.ts';
import { runPayroll, withdrawDuring } from './payroll.ts';
import { runPayrollFloor } from './payroll-floor.ts';
import { makeCompany } from './people.ts';
import type { Company } from './people.ts';
import type { Figure } from './report.ts';
import {
  atLeast,
  atMost,
  mean,
  milliseconds,
  percentile,
  seconds,
  table,
  times,
} from './report.ts';
import { startBenchServer } from './server.ts';
import type { BenchServer } from './server.ts';
import { listRequestFiles } from './request-files.ts';
import { benchSoak } from './soak/report.ts';
import { benchPayoutFiles } from './payout-files.ts';
import { benchStatements } from './statements.ts';
import { benchStreams } from './streams.ts';

const MOST_PAYROLL_RATIO = 1.2;
const MOST_WITHDRAWAL_P99_MS = 250;
const LEAST_REQUEST_RATIO = 0.5;
/** Processor time of server and database together. */
const MOST_REQUEST_PROCESSOR_MS = 3;
const MOST_RESIDENT_MB = 400;
/** Lines in a transaction, as in the server's poster. */
const CHUNK_LINES = 1_000;
const PAYEES = 512;

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    only: { type: 'string' },
    keep: { type: 'string' },
    lists: { type: 'boolean', default: false },
    import: { type: 'boolean', default: false },
    checks: { type: 'boolean', default: false },
    employee: { type: 'boolean', default: false },
    streams: { type: 'boolean', default: false },
    mails: { type: 'boolean', default: false },
    grid: { type: 'boolean', default: false },
    own: { type: 'boolean', default: false },
    reads: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
    payouts: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    server: { type: 'string' },
    entries: { type: 'string', default: '10000000' },
    seconds: { type: 'string', default: '15' },
    minutes: { type: 'string', default: '60' },
  },
});
const people = Number(values.people);
const loadSeconds = Number(values.seconds);

function say(sentence: string): void {
  console.log(sentence);
}

/** Dependencies of the parts of the bench. */
interface Bench {
  database: BenchDatabase;
  company: Company;
  url: string;
  /** Runs `work` on a settled database with the server up and no other work. */
  serving: <T>(work: (server: BenchServer) => Promise<T>) => Promise<T>;
}

/** Pays everybody by bare SQL; returns milliseconds. */
async function payBare({ database, company }: Bench): Promise<number> {
  await database.settle();
  say('Paying everybody by bare SQL.');
  return runPayrollFloor(database.ownerUrl, {
    adminId: company.admin.id,
    pay: { amountMinor: AMOUNT_MINOR },
    chunkLines: CHUNK_LINES,
  });
}

async function benchPayroll(bench: Bench): Promise<Figure[]> {
  const { company, url, serving } = bench;
  // Measures the floor before and after, so that growth or warming up affects both alike. The
  // server is down during it, so bare SQL has the machine to itself.
  const before = await payBare(bench);
  say('Paying everybody by Purser.');
  const alone = await serving(() => runPayroll(url, company));
  const after = await payBare(bench);
  say('Paying everybody by Purser, while others withdraw.');
  const [withWithdrawals, withdrawals] = await serving(() => {
    const paying = runPayroll(url, company);
    return Promise.all([paying, withdrawDuring(url, company, paying)]);
  });
  const bare = mean([before, after]);
  return [
    { what: `Payroll of ${people} people by bare SQL`, measured: seconds(bare) },
    { what: 'The same by Purser, confirm to completed', measured: seconds(alone) },
    atMost('Purser / bare SQL', alone / bare, MOST_PAYROLL_RATIO, ' x'),
    { what: 'With concurrent withdrawals', measured: seconds(withWithdrawals) },
    { what: 'Concurrent withdrawals', measured: String(withdrawals.length) },
    atMost('Their p99', percentile(withdrawals, 0.99), MOST_WITHDRAWAL_P99_MS, ' ms'),
  ];
}

async function benchMoneyRequests({ database, company, url, serving }: Bench): Promise<Figure[]> {
  await database.settle();
  say(`Calling the bare posting function at ${CONNECTIONS} connections.`);
  const bare = await runBarePostings(database.appUrl, company, loadSeconds, database.pid);
  say(`Requesting withdrawals over HTTP at ${CONNECTIONS} connections.`);
  const requests = await serving((server) =>
    runMoneyRequests(url, company, loadSeconds, [server.pid, database.pid]),
  );
  return [
    { what: 'Bare postings', measured: `${bare.perSecond.toFixed(0)} / s` },
    { what: 'Withdrawal requests over HTTP', measured: `${requests.perSecond.toFixed(0)} / s` },
    atLeast('HTTP / bare', requests.perSecond / bare.perSecond, LEAST_REQUEST_RATIO, ' x'),
    { what: 'Processor time of a bare posting', measured: milliseconds(bare.processorMs) },
    atMost('Of a request', requests.processorMs, MOST_REQUEST_PROCESSOR_MS, ' ms'),
    { what: 'Request / bare', measured: times(requests.processorMs / bare.processorMs) },
  ];
}

async function main(): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const database = await openBenchDatabase(say);
  closing.defer(() => database.close());
  const port = await freePort();
  const url = `http://localhost:${port}`;
  say(`Hiring ${people} people.`);
  const company = await makeCompany(database, { people, payees: PAYEES, url });
  const residentBytes: number[] = [];
  const serving: Bench['serving'] = async (work) => {
    await database.settle();
    const server = await startBenchServer(database.dataDir, port);
    try {
      return await work(server);
    } finally {
      residentBytes.push(server.peakResidentBytes() ?? 0);
      await server.stop();
    }
  };

  const bench: Bench = { database, company, url, serving };
  const figures: Figure[] = [];
  if (values.only !== 'requests') figures.push(...(await benchPayroll(bench)));
  // People who request money must have been paid.
  else await payBare(bench);
  if (values.only !== 'payroll') figures.push(...(await benchMoneyRequests(bench)));
  const residentMb = Math.max(...residentBytes) / 1e6;
  if (residentMb > 0) {
    figures.push(atMost('Server, resident at most', residentMb, MOST_RESIDENT_MB, ' MB'));
  }
  say('Verifying the ledger, and the business against it.');
  // Bare postings are payments that nobody made.
  const checks = businessChecks.filter(({ name }) => name !== 'payment-posting');
  const { ok, problems, counts } = await verifyLedger(database.db, {
    furtherChecks: (tx, scope) => checksFor(tx, checks, scope),
  });
  say(`\n${table(figures)}\n`);
  if (ok)
    say(`The ledger is sound: ${counts.transactions} transactions, ${counts.entries} entries.`);
  for (const { check, what, id } of problems) say(`Not sound: ${check}: ${what} (${id})`);
  return ok;
}

const size = { people, entries: Number(values.entries) };
const modes = {
  lists: () => benchLists(size, say, { only: values.only, keptIn: values.keep }),
  import: () => benchImport(people, say),
  checks: () => benchChecks(size, say, values.keep),
  employee: () => benchEmployee(say, values.only),
  streams: () => benchStreams(say),
  mails: () => benchMails(people, say),
  grid: () => benchGrid(people, say),
  own: () =>
    values.reads
      ? benchOwnReads(people, say, { only: values.only, keptIn: values.keep })
      : benchOwnAmounts(people, say),
  files: () => listRequestFiles(say),
  statements: () => benchStatements(say),
  payouts: () => benchPayoutFiles(people, say),
  soak: () => benchSoak(Number(values.minutes), say),
  server: () => benchOwnServer(values.server ?? '', say),
} satisfies Record<ModeName, () => Promise<boolean>>;
const chosen = (Object.keys(MODES) as ModeName[]).find((name) => Boolean(values[name]));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    say(`Ended by ${signal}.`);
    // The bench fails where it is, because its connections end.
    process.on('uncaughtException', () => undefined);
    void OPENED.disposeAsync().finally(() => process.exit(128 + constants.signals[signal]));
  });
}
const isGood = await (chosen === undefined ? main() : modes[chosen]());
process.exitCode = isGood ? 0 : 1;
