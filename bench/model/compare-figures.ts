import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { PAYROLL, sumOf } from './compare-days.ts';
import { anAdminOf, byId, expectSame, read, readText } from './compare-kit.ts';
import { isOpenBatch } from './payroll.ts';
import type { ModelEntry, ModelPerson } from './things.ts';
import { usualPayOn } from './usual-pay.ts';

function isIn({ dayOf }: Pick<Company, 'dayOf'>, period: string) {
  return ({ at }: Pick<ModelEntry, 'at'>) => dayOf(at).startsWith(period);
}

/** Compares the figures and documents of a person: earnings of the year, payslips, recoveries, usual pay and rules. */
export async function compareFiguresOf(company: Company, person: ModelPerson): Promise<void> {
  const { cookie, name } = person;
  const year = company.month().slice(0, 4);
  const own = company.oracle.accountsOf(person.id).flatMap(({ entries }) => entries);
  const paid = own.filter(isIn(company, year)).filter(({ kind }) => PAYROLL.includes(kind));
  const board = await read<RouteReply<'getEmployeeDashboard'>>(
    company,
    cookie,
    'employee/dashboard',
  );
  expectSame(`payroll of the year of ${name}`, board.ytdPayroll, usd(sumOf(paid)));
  const deposits = own.filter(isIn(company, year)).filter(({ kind }) => kind === 'deposit');
  expectSame(`deposits of the year of ${name}`, board.ytdDeposits, usd(sumOf(deposits)));
  await comparePayslips(company, person, year);
  await compareAgreements(company, person);
}

async function comparePayslips(company: Company, person: ModelPerson, year: string): Promise<void> {
  const { cookie, name } = person;
  const lines = [...company.oracle.batches.values()]
    .flatMap(({ lines: all }) => all.filter(({ personId }) => personId === person.id))
    .filter(({ paidAt }) => paidAt !== null && isIn(company, year)({ at: paidAt }));
  const path = `account-documents?year=${year}`;
  const { payslips } = await read<RouteReply<'listAccountDocuments'>>(company, cookie, path);
  const left = lines.map(({ minor, reversed }) => ({ minor: minor - reversed }));
  expectSame(
    `payslips of ${name}`,
    [payslips.total, payslips.totalPaid],
    [lines.length, usd(sumOf(left))],
  );
  const known = lines.map(({ id, minor, reversed }) => [`payslip.${id}`, minor, reversed].join());
  for (const { id, amount, reversed } of payslips.items) {
    const shown = [id, amount.minor, reversed.minor].join();
    if (!known.includes(shown)) throw new Error(`payslip of ${name}: ${shown} is not known`);
  }
}

/** Recoveries, usual pay and the rules of wallets, with their amounts. */
async function compareAgreements(company: Company, person: ModelPerson): Promise<void> {
  const { oracle } = company;
  const { id: personId, cookie, name } = person;
  const { recoveries } = await read<RouteReply<'getRecoveries'>>(company, cookie, 'recoveries');
  expectSame(
    `recoveries of ${name}`,
    byId(
      recoveries.map(({ id, status, amount, recovered }) => ({ id, status, amount, recovered })),
    ),
    byId(
      [...oracle.recoveries.values()]
        .filter((one) => one.personId === personId)
        .map(({ id, status, minor, recovered }) => {
          return { id, status, amount: usd(minor), recovered: usd(recovered) };
        }),
    ),
  );
  const { wallets } = await read<RouteReply<'getAutomaticTransfers'>>(
    company,
    cookie,
    'automatic-transfers',
  );
  const plans = wallets.map(({ walletId, version, rules, pausedAt, skipsNext }) => {
    return { id: walletId, version, rules: rules.length, isPaused: pausedAt !== null, skipsNext };
  });
  const wanted = oracle
    .accountsOf(personId)
    .filter(({ isClosed }) => !isClosed)
    .map(({ id }) => {
      const plan = oracle.plans.get(id);
      const { version = 0, isPaused = false, skipsNext = false } = plan ?? {};
      return { id, version, rules: plan?.rules.length ?? 0, isPaused, skipsNext };
    });
  expectSame(`automatic transfers of ${name}`, byId(plans), byId(wanted));
  const usual = await read<RouteReply<'adminGetUsualPay'>>(
    company,
    anAdminOf(company).cookie,
    `admin/employees/${personId}/usual-pay`,
  );
  const amounts = usual.wallets.map(({ walletType, amount }) => `${walletType} ${amount.minor}`);
  const known = usual.wallets.map(({ walletType }) => {
    return `${walletType} ${usualPayOn(company, { personId, walletType, day: usual.on })}`;
  });
  expectSame(`usual pay of ${name}`, amounts, known);
  expectSame(
    `changes of the usual pay of ${name}`,
    byId(usual.changes.map(({ id, status }) => ({ id, status }))),
    byId(
      [...oracle.usualPay.values()]
        .filter((one) => one.personId === personId)
        .map(({ id, status }) => ({ id, status })),
    ),
  );
}

/** Compares what payroll paid, on each screen that says so, and exports with the lists. */
export async function compareCompanyFigures(company: Company): Promise<void> {
  const { oracle, app } = company;
  const { cookie } = anAdminOf(company);
  const entries = [...oracle.accounts.values()].flatMap((account) => account.entries);
  const paid = entries.filter(({ kind }) => PAYROLL.includes(kind));
  const pending = [...oracle.deposits.values()].filter(({ status }) => status === 'pending');
  const board = await read<RouteReply<'adminGetDashboard'>>(company, cookie, 'admin/dashboard');
  expectSame(
    'the dashboard',
    [board.monthlyPayroll, board.pendingDeposits],
    [
      usd(sumOf(paid.filter(isIn(company, company.month())))),
      { count: pending.length, amount: usd(sumOf(pending)) },
    ],
  );
  const stats = await read<RouteReply<'adminGetPayrollStats'>>(
    company,
    cookie,
    'admin/payroll/stats',
  );
  const open = [...oracle.batches.values()].filter(isOpenBatch);
  expectSame(
    'figures of payroll',
    [stats.totalPayroll, stats.pendingBatches],
    [usd(sumOf(paid)), open.length],
  );
  // A run exports more in an hour than a person may.
  await sql`DELETE FROM rate_limit`.execute(app.db);
  for (const path of ['deposits', 'withdrawals', 'bills'] as const) {
    const text = await readText(company, cookie, `admin/${path}/export?status=all`);
    const rows = text.trimEnd().split('\r\n').length - 1;
    expectSame(`rows of the export of ${path}`, rows, oracle[path].size);
  }
}
