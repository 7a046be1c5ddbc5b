import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EmployeeImport, PayrollDraft, PayrollFileCheck } from '#contract/api.ts';
import { systemClock } from '#server/lib/clock.ts';
import { createPool } from '#server/db/pool.ts';
import { freePort } from '#server/lib/free-port.ts';
import { readOrMakeLocalSecrets } from '#server/config/local-secrets.ts';
import { openVault } from '#server/vault/store.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { createAdmin, signInCookie } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchDatabase } from './database.ts';
import { ask, unsafeHeaders } from './http.ts';
import { measured } from './processor-time.ts';
import { atMost, conclude, milliseconds, seconds } from './report.ts';
import type { Figure } from './report.ts';
import { startBenchServer } from './server.ts';

const PATH = '/api/admin/employee-imports';
const VERIFY = join(import.meta.dirname, '../server/programs/verify.ts');
const POLL_MS = 500;
/** Maximum for server and database together, for 1,000 people, their seals included. */
const MOST_PROCESSOR_S = 3;
const DRAFTS = '/api/admin/payroll/drafts';
/** Maximum for checking a file of what 100,000 people are paid. */
const MOST_CHECK_S = 20;
/** The last rows of the file. */
const BAD_ROWS = [
  'No Email,,Sales,Clerk',
  'No Team,no.team@tallis.test,,',
  'Ann Twice,ann.0@tallis.test,HR,',
];
const DEPARTMENTS = ['Engineering', 'Sales', 'Finance', 'HR'];

/**
 * Imports that many employees from a CSV file, as an admin does it over HTTP, fills in a payroll of all of them from
 * another, and then verifies everything as `npm run verify` does.
 *
 * @returns true if the targets were met and the books are sound
 */
export async function benchImport(
  people: number,
  say: (sentence: string) => void,
): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const database = await openBenchDatabase(() => undefined);
  closing.defer(() => database.close());
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const cookie = await makeAdmin(database, url);
  await database.settle();
  const server = await startBenchServer(database.dataDir, port);
  closing.defer(() => server.stop());
  const roots = [server.pid, database.pid];

  say(`Checking a file of ${people} people.`);
  const checking = await measured(roots, () => upload(url, cookie, people));
  say('Importing them.');
  const importing = await measured(roots, () => runImport(url, cookie, people, checking.result));
  const sealing = await measured(roots, () => untilSealed(database));
  say('Filling in a payroll of all of them from a file.');
  const draft = await ask<PayrollDraft>(url, DRAFTS, cookie, JSON.stringify(PAYROLL));
  const amounts = await measured(roots, () => checkAmounts(url, cookie, draft, people));
  const filling = await measured(roots, () => fillIn(url, cookie, amounts.result, people));
  const processorS = (importing.processorMs + sealing.processorMs) / people;
  const residentMb = (server.peakResidentBytes() ?? 0) / 1e6;
  say(verify(database.dataDir));
  const figures: Figure[] = [
    { what: 'Checking the file', measured: seconds(checking.tookMs) },
    { what: 'Its processor time', measured: milliseconds(checking.processorMs) },
    { what: `Importing ${people} people`, measured: seconds(importing.tookMs) },
    { what: 'Sealing what was left', measured: seconds(sealing.tookMs) },
    atMost('Checking a file of amounts', amounts.tookMs / 1_000, MOST_CHECK_S, ' s'),
    { what: 'Filling in the amounts', measured: seconds(filling.tookMs) },
    atMost('Processor time for 1,000 people', processorS, MOST_PROCESSOR_S, ' s'),
    { what: 'Server, resident at most', measured: `${residentMb.toFixed(0)} MB` },
  ];
  return conclude(figures, say);
}

/** Session cookie of an admin who has just confirmed with a password. */
async function makeAdmin({ db, appUrl, dataDir }: BenchDatabase, url: string): Promise<string> {
  const vault = await openVault(db, readOrMakeLocalSecrets(dataDir).masterKeys);
  const services = { ...createTestServices(), clock: systemClock, vault };
  const { id } = await createAdmin(db, services);
  const pool = createPool({ url: appUrl, max: 2 });
  const cookie = await signInCookie(createTestIdentity({ db, pool }, services, { url }), id);
  await pool.end();
  return cookie;
}

const upload = (url: string, cookie: string, people: number) =>
  send<EmployeeImport>(url, cookie, { path: `${PATH}?fileName=people.csv`, csv: fileOf(people) });

async function send<Reply>(
  url: string,
  cookie: string,
  { path, csv }: { path: string; csv: string },
): Promise<Reply> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...unsafeHeaders(url, cookie), 'content-type': 'text/csv' },
    body: csv,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Reply;
}

const PAYROLL = {
  walletType: 'salary',
  department: 'all',
  description: 'Payroll',
  hasOwnAmounts: true,
};

/** Everybody's own amount, with thousands and cents. */
function amountsOf(people: number): string {
  const rows = Array.from(
    { length: people - BAD_ROWS.length },
    (_, n) => `ann.${n}@tallis.test,"1,${String(n % 1_000).padStart(3, '0')}.5${n % 10}"`,
  );
  return ['Email,Net Pay', ...rows].join('\r\n');
}

interface CheckedDraft extends PayrollFileCheck {
  id: string;
}

async function checkAmounts(
  url: string,
  cookie: string,
  { id }: PayrollDraft,
  people: number,
): Promise<CheckedDraft> {
  const file = { path: `${DRAFTS}/${id}/file-check`, csv: amountsOf(people) };
  const check = await send<PayrollFileCheck>(url, cookie, file);
  const [problem] = check.problems;
  if (problem !== undefined) throw new Error(`row ${problem.row}: ${problem.message}`);
  return { ...check, id };
}

async function fillIn(
  url: string,
  cookie: string,
  { id, version, hash, total, counts }: CheckedDraft,
  people: number,
): Promise<void> {
  const query = `version=${version}&hash=${hash}&controlTotal=${total.minor}`;
  const file = { path: `${DRAFTS}/${id}/file?${query}`, csv: amountsOf(people) };
  const { employees } = await send<PayrollDraft>(url, cookie, file);
  if (employees !== counts.employees) throw new Error(`${employees} amounts were filled in`);
}

function fileOf(people: number): string {
  const rows = Array.from({ length: people - BAD_ROWS.length }, (_, n) =>
    [`Ann Of${n}`, `ann.${n}@tallis.test`, DEPARTMENTS[n % DEPARTMENTS.length], 'Clerk'].join(','),
  );
  return ['Full Name,Email,Department,Position', ...rows, ...BAD_ROWS].join('\r\n');
}

async function runImport(
  url: string,
  cookie: string,
  people: number,
  { id, version }: EmployeeImport,
): Promise<void> {
  await ask(url, `${PATH}/${id}/confirm`, cookie, JSON.stringify({ version }));
  for (;;) {
    await sleep(POLL_MS);
    const { latest } = await ask<{ latest: EmployeeImport }>(url, `${PATH}/latest`, cookie);
    if (latest.status !== 'finished') continue;
    if (latest.counts.imported !== people - BAD_ROWS.length) {
      throw new Error(`${latest.counts.imported} of ${people} were imported`);
    }
    return;
  }
}

async function untilSealed({ db }: BenchDatabase): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isLeft: boolean }>`
      SELECT EXISTS (SELECT FROM audit_unsealed) OR EXISTS (SELECT FROM ledger_account_unsealed)
             AS is_left`.execute(db);
    if (rows[0]?.isLeft !== true) return;
    await sleep(POLL_MS);
  }
}

/** @throws when the books are not sound */
function verify(dataDir: string): string {
  const env = { PATH: process.env['PATH'], PURSER_DATA: dataDir };
  return execFileSync(process.execPath, [VERIFY], { env, encoding: 'utf8' });
}
