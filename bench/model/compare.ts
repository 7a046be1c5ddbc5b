import type { RouteReply } from '#contract/api.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { withTx } from '#server/db/tx.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { anEmployee } from './attempt.ts';
import { usd } from './company.ts';
import type { Company } from './company.ts';
import { compareDays } from './compare-days.ts';
import { compareCompanyFigures, compareFiguresOf } from './compare-figures.ts';
import { compareBankAccounts, comparePayouts } from './compare-payouts.ts';
import { comparePermissions } from './compare-permissions.ts';
import { anAdminOf, byId, expectSame, read } from './compare-kit.ts';
import type { ModelPerson } from './things.ts';
import { readLineIds } from './payroll-lines.ts';

/** Compares every balance with the oracle. @throws Error that names the first difference */
export async function compareBalances({ app, oracle }: Company): Promise<void> {
  const rows = await app.db
    .selectFrom('wallet')
    .innerJoin('ledgerAccount as account', 'account.id', 'wallet.ledgerAccountId')
    .select(['wallet.id', 'account.posted', 'account.held'])
    .execute();
  if (rows.length !== oracle.accounts.size) {
    throw new Error(`${rows.length} accounts, the oracle has ${oracle.accounts.size}`);
  }
  for (const { id, posted, held } of rows) {
    const known = oracle.account(id);
    if (known.posted === posted && known.held === held) continue;
    throw new Error(
      `account ${id} (${known.type}) has ${posted} posted and ${held} held, the oracle ${known.posted} and ${known.held}`,
    );
  }
}

/** Compares lists, sums, documents and permissions with the oracle, and verifies the books. */
export async function compareEverything(company: Company): Promise<void> {
  const { oracle, app } = company;
  for (const batch of oracle.batches.values()) {
    if (['completed', 'failed'].includes(batch.status)) await readLineIds(company, batch);
  }
  for (const person of oracle.people.values()) {
    if (!person.isEmployee || person.hasLeft) continue;
    await comparePerson(company, person);
  }
  // Those of one person at a time: a long run comes to everybody.
  await compareFiguresOf(company, anEmployee(company));
  await compareCompany(company);
  await compareCompanyFigures(company);
  await compareDays(company);
  await compareBank(company);
  await comparePayouts(company);
  await comparePermissions(company);
  const { problems } = await verifyLedger(app.db);
  const found = await withTx(app.db, (tx) => runChecks(tx, businessChecks));
  // The hours of a new administrator are over where a run moves them, not where they were recorded.
  const others = found.filter(({ check }) => check !== 'second-person-wait');
  expectSame('verification', [...problems, ...others], []);
}

async function comparePerson(company: Company, person: ModelPerson): Promise<void> {
  const { oracle } = company;
  const { cookie } = person;
  const accounts = oracle.accountsOf(person.id);
  const own = await read<RouteReply<'listWallets'>>(company, cookie, 'wallets');
  const sums = accounts
    .filter(({ isClosed }) => !isClosed)
    .map(({ id, posted, held }) => ({
      id,
      balance: usd(posted),
      held: usd(held),
      available: usd(posted - held),
    }));
  const shown = own.accounts.map(({ id, balance, held, available }) => ({
    id,
    balance,
    held,
    available,
  }));
  expectSame(`accounts of ${person.name}`, byId(shown), byId(sums));
  const total = accounts.reduce((sum, { posted }) => sum + posted, 0n);
  const available = accounts.reduce((sum, { id }) => sum + oracle.available(id), 0n);
  expectSame(`total assets of ${person.name}`, own.totalAssets, usd(available));
  const totals = await read<RouteReply<'getHistoryTotals'>>(company, cookie, 'history/totals');
  expectSame(`balance in the history of ${person.name}`, totals.currentBalance, usd(total));
  const difference = BigInt(totals.received.minor) - BigInt(totals.withdrawn.minor);
  expectSame(`received less withdrawn of ${person.name}`, difference, total);
  const standing = await read<RouteReply<'listStandingBills'>>(company, cookie, 'standing-bills');
  expectSame(
    `standing bills of ${person.name}`,
    byId(standing.items.map(({ id, nextOn }) => ({ id, nextOn }))),
    byId(
      [...oracle.standingBills.values()]
        .filter(({ ownerId, nextOn }) => ownerId === person.id && nextOn !== null)
        .map(({ id, nextOn }) => ({ id, nextOn })),
    ),
  );
  await compareBankAccounts(company, person);
  await compareHistory(company, person);
  await compareStatements(company, person);
}

/** Every entry of the ledger is in the history of its owner, with the balance after it. */
async function compareHistory(company: Company, person: ModelPerson): Promise<void> {
  const wanted = company.oracle
    .accountsOf(person.id)
    .flatMap(({ entries, type }) =>
      entries.map(({ minor, balance }) => `${type} ${minor} ${balance}`),
    );
  const shown: string[] = [];
  for (let page = 1; ; page += 1) {
    const { items, hasMore } = await read<RouteReply<'listHistory'>>(
      company,
      person.cookie,
      `history?pageSize=100&page=${page}`,
    );
    for (const { account, amount, balanceAfter } of items) {
      if (balanceAfter === null) continue;
      shown.push(`${account.type} ${amount.minor} ${balanceAfter.minor}`);
    }
    if (!hasMore) break;
  }
  expectSame(`history of ${person.name}`, shown.toSorted(), wanted.toSorted());
}

/** The statements of months that are over have the entries and the closing balance of the oracle. */
async function compareStatements(company: Company, person: ModelPerson): Promise<void> {
  const thisMonth = company.month();
  const wanted: string[] = [];
  const year = thisMonth.slice(0, 4);
  for (const { entries, type } of company.oracle.accountsOf(person.id)) {
    const months = Map.groupBy(entries, ({ at }) => company.dayOf(at).slice(0, 7));
    for (const [month, ofMonth] of months) {
      if (month >= thisMonth || !month.startsWith(year)) continue;
      wanted.push(`${type} ${month}: ${ofMonth.length}, ${ofMonth.at(-1)?.balance}`);
    }
  }
  const { statements } = await read<RouteReply<'listAccountDocuments'>>(
    company,
    person.cookie,
    `account-documents?year=${year}`,
  );
  const shown = statements
    .filter(({ month, entries }) => month < thisMonth && entries > 0)
    .map(
      ({ account, month, entries, closing }) => `${account} ${month}: ${entries}, ${closing.minor}`,
    );
  expectSame(`statements of ${person.name}`, shown.toSorted(), wanted.toSorted());
}

async function compareCompany(company: Company): Promise<void> {
  const { oracle } = company;
  const { cookie } = anAdminOf(company);
  const { posted, held } = oracle.owed();
  const owed = await read<RouteReply<'adminGetOwed'>>(company, cookie, 'admin/owed');
  const wanted = { balance: usd(posted), held: usd(held), available: usd(posted - held) };
  expectSame('what the company owes', owed, wanted);
  const stats = await read<RouteReply<'adminWithdrawalStats'>>(
    company,
    cookie,
    'admin/withdrawals/stats',
  );
  const withdrawals = [...oracle.withdrawals.values()];
  const those = (...statuses: string[]) =>
    withdrawals.filter(({ status }) => statuses.includes(status));
  const sumOf = (list: readonly { minor: bigint }[]) =>
    usd(list.reduce((sum, { minor }) => sum + minor, 0n));
  expectSame(
    'withdrawals',
    [
      stats.pendingRequests,
      stats.pendingAmount,
      stats.approvedRequests,
      stats.approvedAmount,
      stats.processingRequests,
      stats.processingAmount,
      stats.total,
    ],
    [
      those('pending').length,
      sumOf(those('pending')),
      those('approved').length,
      sumOf(those('approved')),
      those('processing').length,
      sumOf(those('processing')),
      withdrawals.length,
    ],
  );
  const deposits = await read<RouteReply<'adminDepositStats'>>(
    company,
    cookie,
    'admin/deposits/stats',
  );
  const pending = [...oracle.deposits.values()].filter(({ status }) => status === 'pending');
  expectSame('pending deposits', deposits.pending, {
    count: pending.length,
    amount: sumOf(pending),
  });
  await compareStatuses(company, 'deposits', oracle.deposits.values());
  await compareStatuses(company, 'withdrawals', oracle.withdrawals.values());
  await compareStatuses(company, 'bills', oracle.bills.values());
}

/** Bank and ledger differ by the lines that have no match, and closed months keep what was owed at their end. */
async function compareBank(company: Company): Promise<void> {
  const { oracle } = company;
  const { cookie } = anAdminOf(company);
  const { lines, startMinor, closingMinor } = oracle.statement;
  const bank = await read<RouteReply<'adminGetCompanyBank'>>(company, cookie, 'admin/company-bank');
  const open = lines.filter(({ isMatched }) => !isMatched);
  const { atBank, difference, openLines } = bank.position;
  expectSame(
    'the bank',
    { atBank: atBank?.amount, difference, openLines },
    lines.length === 0
      ? { atBank: undefined, difference: null, openLines: 0 }
      : {
          atBank: usd(closingMinor),
          difference: usd(open.reduce((sum, { minor }) => sum + minor, startMinor)),
          openLines: open.length + (startMinor === 0n ? 0 : 1),
        },
  );
  const { months } = await read<RouteReply<'adminListMonths'>>(company, cookie, 'admin/closing');
  const closed = months.filter(({ status }) => status === 'closed').map(({ month }) => month);
  expectSame('closed months', closed.toReversed(), oracle.closed);
  for (const month of closed) {
    const path = `admin/closing/${month}`;
    const { closing } = await read<RouteReply<'adminGetMonth'>>(company, cookie, path);
    const entries = [...oracle.accounts.values()].flatMap((account) => account.entries);
    const until = entries.filter(({ at }) => company.dayOf(at).slice(0, 7) <= month);
    const owed = usd(until.reduce((sum, { minor }) => sum + minor, 0n));
    expectSame(`owed at the end of ${month}`, closing?.owed, owed);
  }
}

/** The back office lists each request once, with its status and its amount. */
async function compareStatuses(
  company: Company,
  path: 'deposits' | 'withdrawals' | 'bills',
  known: Iterable<{ id: string; status: string; minor: bigint }>,
): Promise<void> {
  const { cookie } = anAdminOf(company);
  const shown: string[] = [];
  for (let page = 1; ; page += 1) {
    const { items, hasMore } = await read<{
      items: { id: string; status: string; amount: { minor: string } }[];
      hasMore: boolean;
    }>(company, cookie, `admin/${path}?pageSize=100&page=${page}&status=all`);
    shown.push(...items.map(({ id, status, amount }) => `${id} ${status} ${amount.minor}`));
    if (!hasMore) break;
  }
  const wanted = [...known].map(({ id, status, minor }) => `${id} ${status} ${minor}`);
  expectSame(path, shown.toSorted(), wanted.toSorted());
}
