import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { addDays } from '#contract/calendar.ts';
import { DEPARTMENT_IDS } from '#contract/company.ts';
import { readCsv } from '#server/lib/read-csv.ts';
import { pickOne } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { anAdminOf, byId, expectSame, read, readText } from './compare-kit.ts';
import type { ModelEntry } from './things.ts';

/** Movements that are in what payroll paid. */
export const PAYROLL: readonly ModelEntry['kind'][] = [
  'payroll',
  'funding',
  'reversal',
  'recovery',
];
/** Types of rows of the log whose two sides are on accounts of people. */
const BETWEEN = ['Transfer', 'Move'];

interface Days {
  from: string;
  to: string;
}

export const sumOf = (all: readonly { minor: bigint }[]) =>
  all.reduce((sum, { minor }) => sum + minor, 0n);

/** Compares the sums of the same days on all screens and in the exports that have them. */
export async function compareDays(company: Company): Promise<void> {
  const { app, oracle, random, today } = company;
  const entries = [...oracle.accounts.values()].flatMap((account) =>
    account.entries.map((entry) => ({ ...entry, personId: account.ownerId })),
  );
  const days = entries.map(({ at }) => company.dayOf(at)).toSorted();
  const from = random.pick([days[0] ?? today(), random.pick([...days, today()] as [string])]);
  const to = random.pick([today(), addDays(from, random.int(0, 40))]);
  const within = entries.filter(({ at }) => {
    const day = company.dayOf(at);
    return day >= from && day <= to;
  });
  // A run exports more in an hour than a person may.
  await sql`DELETE FROM rate_limit`.execute(app.db);
  await comparePaid(company, { from, to }, within);
  await compareLog(company, { from, to }, within);
  await compareWeeks(company);
  await compareBatches(company);
  await compareMonth(company, entries);
}

type Entry = ModelEntry & { personId: string };

/** The screen Who Was Paid: each person, the sum of all and of each department, and the export. */
async function comparePaid(
  company: Company,
  { from, to }: Days,
  within: readonly Entry[],
): Promise<void> {
  const { cookie } = anAdminOf(company);
  const paid = within.filter(({ kind }) => PAYROLL.includes(kind));
  const wanted = [...Map.groupBy(paid, ({ personId }) => personId)].map(([id, all]) => {
    return { id, total: usd(sumOf(all)) };
  });
  const view = `from=${from}&to=${to}&search=`;
  const list = await read<RouteReply<'adminListPaid'>>(
    company,
    cookie,
    `admin/payroll/paid?${view}&department=all&pageSize=100`,
  );
  const shown = list.items.map(({ id, total }) => ({ id, total }));
  expectSame(`who was paid from ${from} to ${to}`, byId(shown), byId(wanted));
  const totalsOf = async (department: string) => {
    const path = `admin/payroll/paid/totals?${view}&department=${department}`;
    const { amounts } = await read<RouteReply<'adminPaidTotals'>>(company, cookie, path);
    return BigInt(amounts?.total.minor ?? -1n);
  };
  const ofDepartments = await Promise.all(DEPARTMENT_IDS.map(totalsOf));
  const path = `admin/payroll/paid/export?${view}&department=all`;
  const rows = await readRows(await readText(company, cookie, path));
  expectSame(
    `the totals of who was paid from ${from} to ${to}`,
    [
      await totalsOf('all'),
      ofDepartments.reduce((sum, one) => sum + one, 0n),
      rows.reduce((sum, row) => sum + minorOf(row['Total']), 0n),
    ],
    [sumOf(paid), sumOf(paid), sumOf(paid)],
  );
}

/** Postings of payments that are in a file at the bank, which wait until that is settled. */
function inTransit({ oracle }: Company): { minor: bigint; at: Date }[] {
  return [...oracle.withdrawals.values(), ...oracle.bills.values()].flatMap((one) => {
    const at = one.fileId === null ? null : oracle.file(one.fileId).sentAt;
    const isSent = one.status === 'processing' || one.status === 'sent';
    return isSent && at !== null ? [{ minor: -one.minor, at }] : [];
  });
}

/** The log of all transactions: its export by these days, and its figures for all days. */
async function compareLog(
  company: Company,
  { from, to }: Days,
  within: readonly Entry[],
): Promise<void> {
  const { cookie } = anAdminOf(company);
  const view = `from=${from}&to=${to}&status=completed`;
  const rows = await readRows(await readText(company, cookie, `admin/transactions/export?${view}`));
  const exported = rows.filter(({ Type = '' }) => !BETWEEN.includes(Type));
  const own = within.filter(({ kind }) => kind !== 'transfer' && kind !== 'move');
  const written = ({ at, minor }: { at: Date; minor: bigint }) => `${company.dayOf(at)} ${minor}`;
  const waiting = inTransit(company);
  const open = waiting.map(written).filter((one) => one >= from && one.slice(0, 10) <= to);
  expectSame(
    `the exported log from ${from} to ${to}`,
    [...open, ...exported.map(({ Date: day, Amount }) => `${day} ${minorOf(Amount)}`)].toSorted(),
    own.map(written).toSorted(),
  );
  const stats = async (days: string) => {
    const path = `admin/transactions/stats?${days}`;
    const { figures } = await read<RouteReply<'adminTransactionStats'>>(company, cookie, path);
    if (figures === null) throw new Error('the log has too many rows');
    return figures;
  };
  compareFigures(company, await stats(''), waiting);
  const ofDays = await stats(`from=${from}&to=${to}`);
  const between = (kind: 'transfer' | 'move') =>
    within.filter((entry) => entry.kind === kind && entry.minor > 0n);
  expectSame(
    `payments and moves between accounts from ${from} to ${to}`,
    [ofDays.betweenEmployees.amount, ofDays.betweenOwnAccounts.amount],
    [usd(sumOf(between('transfer'))), usd(sumOf(between('move')))],
  );
}

/** The figures of the log for all days. */
function compareFigures(
  { oracle }: Company,
  figures: NonNullable<RouteReply<'adminTransactionStats'>['figures']>,
  waiting: readonly { minor: bigint }[],
): void {
  const { moneyIn, moneyOut, pending, counts } = figures;
  const requests = [...oracle.withdrawals.values(), ...oracle.bills.values()];
  const open = ['pending', 'approved', 'processing', 'scheduled', 'due', 'sent'];
  const asked = [
    ...requests.filter(({ status }) => open.includes(status)),
    ...[...oracle.deposits.values()].filter(({ status }) => status === 'pending'),
  ];
  const out = requests.filter(({ status }) => status === 'completed' || status === 'paid');
  const recovered = [...oracle.accounts.values()]
    .flatMap(({ entries }) => entries)
    .filter(({ kind, minor }) => kind === 'recovery' && minor < 0n);
  expectSame(
    'the figures of the log',
    {
      difference: BigInt(moneyIn.amount.minor) - BigInt(moneyOut.amount.minor),
      moneyOut: moneyOut.amount,
      pending: [counts.pending, pending.amount],
    },
    {
      difference: oracle.owed().posted - sumOf(waiting),
      moneyOut: usd(sumOf(out) - sumOf(recovered)),
      pending: [asked.length, usd(sumOf(asked))],
    },
  );
}

/** Money that left by the week, Monday to Sunday, without what came back. */
async function compareWeeks(company: Company): Promise<void> {
  const { oracle, dayOf } = company;
  const { cookie } = anAdminOf(company);
  const left = [...oracle.withdrawals.values(), ...oracle.bills.values()].filter(({ status }) =>
    ['completed', 'paid'].includes(status),
  );
  const path = 'admin/dashboard';
  const { cashOutByWeek } = await read<RouteReply<'adminGetDashboard'>>(company, cookie, path);
  const wanted = cashOutByWeek.map(({ weekOf }) => {
    const ofWeek = left.filter(({ leftAt }) => {
      const day = leftAt === undefined ? '' : dayOf(leftAt);
      return day >= weekOf && day < addDays(weekOf, 7);
    });
    return { weekOf, amount: usd(sumOf(ofWeek)) };
  });
  expectSame('money out by the week', cashOutByWeek, wanted);
}

/** Sums of payrolls by day, and those of one payroll by department. */
async function compareBatches(company: Company): Promise<void> {
  const { oracle } = company;
  const { cookie } = anAdminOf(company);
  const batches = [...oracle.batches.values()].filter(
    ({ status }) => status !== 'ended' && status !== 'failed',
  );
  const lines = batches.flatMap((batch) => batch.lines);
  const path = 'admin/payroll/days';
  const { days } = await read<RouteReply<'adminSumPayrollDays'>>(company, cookie, path);
  const add = (minors: readonly string[]) => minors.reduce((sum, one) => sum + BigInt(one), 0n);
  // The newest hundred days are added up.
  if (days.length < 100) {
    expectSame(
      'payrolls of all days',
      [add(days.map(({ total }) => total.minor)), add(days.map(({ reversed }) => reversed.minor))],
      [sumOf(lines), lines.reduce((sum, { reversed }) => sum + reversed, 0n)],
    );
  }
  const batch = pickOne(
    company,
    batches.filter(({ isFunding }) => !isFunding),
  );
  if (batch === null) return;
  const totals = await read<RouteReply<'adminGetPayrollTotals'>>(
    company,
    cookie,
    `admin/payroll/batches/${batch.id}/totals`,
  );
  const left = batch.lines.filter(({ paidAt }) => paidAt !== null);
  expectSame(
    `sums of the payroll ${batch.id}`,
    [
      add(totals.departments.map(({ ordered }) => ordered.minor)),
      add(totals.departments.map(({ paid }) => paid.minor)),
    ],
    [sumOf(batch.lines), left.reduce((sum, line) => sum + line.minor - line.reversed, 0n)],
  );
}

/** The journal of a month: its sides are equal, and what it adds to the wallets is what they have more. */
async function compareMonth(company: Company, entries: readonly Entry[]): Promise<void> {
  const { cookie } = anAdminOf(company);
  const months = await read<RouteReply<'adminListMonths'>>(company, cookie, 'admin/closing');
  const month = pickOne(
    company,
    months.months.map((one) => one.month),
  );
  if (month === null) return;
  const path = `admin/closing/${month}`;
  const { journal } = await read<RouteReply<'adminGetMonth'>>(company, cookie, path);
  const lines = journal.entries.flatMap((entry) => entry.lines);
  const sideOf = (some: typeof lines, side: 'debit' | 'credit') =>
    some.reduce((sum, line) => sum + BigInt(line[side]?.minor ?? 0), 0n);
  const total = BigInt(journal.total.minor);
  expectSame(
    `sides of ${month}`,
    [sideOf(lines, 'debit'), sideOf(lines, 'credit')],
    [total, total],
  );
  const wallets = lines.filter(({ account }) => account === 'wallets');
  const added = entries.filter(({ at }) => company.dayOf(at).startsWith(month));
  expectSame(
    `what ${month} adds to the wallets`,
    sideOf(wallets, 'credit') - sideOf(wallets, 'debit'),
    sumOf(added),
  );
}

/** Rows of an export by the names of its columns. */
async function readRows(text: string): Promise<Partial<Record<string, string>>[]> {
  const lines: string[][] = [];
  for await (const line of readCsv(bytesOf(text))) lines.push(line);
  const [names = [], ...rows] = lines;
  return rows
    .filter((cells) => cells.length === names.length)
    .map((cells) => Object.fromEntries(cells.map((cell, index) => [names[index] ?? '', cell])));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

/** Minor units of a cell: `-12.50`. */
function minorOf(cell: string | undefined): bigint {
  if (cell === undefined || !/^-?\d+\.\d\d$/.test(cell)) throw new Error(`no amount: ${cell}`);
  return BigInt(cell.replace('.', ''));
}
