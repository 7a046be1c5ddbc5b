import { expect } from 'vitest';
import type { PayoutFile, PayrollDraft, RouteReply } from '#contract/api.ts';
import { JOURNAL_ACCOUNTS, JOURNAL_FORMATS } from '#contract/closing.ts';
import { money } from '#contract/money.ts';
import { ROUTES } from '#contract/routes/all.ts';
import { cellsOf, expectedCells, TRAP } from './export-app.ts';
import type { ExportApp } from './export-app.ts';
import { decimal, utc } from './export-columns.ts';
import type { ExpectedCells } from './export-columns.ts';

/** Exports of what is no declared list, each compared with what its screen shows. Each answers the number of rows. */
export const SCREEN_EXPORTS: Readonly<Record<string, (app: ExportApp) => Promise<number>>> = {
  async adminExportPayouts({ read, exported }) {
    const path = ROUTES.adminGetPayouts.path;
    const columns: ExpectedCells<RouteReply<'adminGetPayouts'>['ready'][number]> = {
      Effective: ({ effectiveOn }) => effectiveOn,
      ...ENTRY,
      'Since (UTC)': ({ since }) => utc(since),
    };
    const views = [
      {},
      ...['people', 'businesses', 'accounts'].map((payees) => ({ payees })),
      ...[TRAP, 'maya', 'wd-', 'nobody'].map((search) => ({ search })),
      ...(await read('adminGetPayouts', path)).readyDays.map((on) => ({ on })),
    ];
    let compared = 0;
    for (const view of views) {
      const { ready } = await read('adminGetPayouts', path, view);
      const cells = await exported('adminExportPayouts', `${path}/export`, view);
      expect(cellsOf(cells, columns), JSON.stringify(view)).toEqual(expectedCells(ready, columns));
      compared += ready.length;
    }
    return compared;
  },
  async adminExportPayoutFile({ read, send, exported }) {
    const path = ROUTES.adminGetPayouts.path;
    const { ready } = await read('adminGetPayouts', path);
    const idsOf = (kind: string) => ready.filter((one) => one.kind === kind).map(({ id }) => id);
    const order = { withdrawalIds: idsOf('withdrawal'), billIds: idsOf('bill') };
    const { id } = await send<PayoutFile>('POST', path, order);
    const { entries } = await read('adminGetPayoutFile', `${path}/${id}`);
    const columns: ExpectedCells<(typeof entries)[number]> = {
      Batch: ({ batchNumber }) => String(batchNumber),
      ...ENTRY,
      'Trace number': ({ traceNumber }) => traceNumber,
      Status: ({ status }) => status,
    };
    const cells = await exported('adminExportPayoutFile', `${path}/${id}/export`);
    expect(entries).toHaveLength(ready.length);
    expect(cellsOf(cells, columns)).toEqual(expectedCells(entries, columns));
    return entries.length;
  },
  async adminExportJournal({ read, send, exported }) {
    const root = ROUTES.adminListMonths.path;
    for (const account of JOURNAL_ACCOUNTS) {
      await send('PUT', `${root}/accounts/${account}`, { code: account, name: account });
    }
    let compared = 0;
    for (const { month } of (await read('adminListMonths', root)).months) {
      const { journal } = await read('adminGetMonth', `${root}/${month}`);
      const shown = journal.entries.flatMap(({ what, lines }) =>
        lines.map(({ account, debit, credit }) => ({
          what,
          account,
          debit: debit === null ? '' : decimal(debit),
          credit: credit === null ? '' : decimal(credit),
        })),
      );
      for (const format of JOURNAL_FORMATS) {
        const at = `${root}/${month}/journal`;
        const cells = await exported('adminExportJournal', at, { format });
        const lines = cells.map((row) => LINES[format](row));
        expect(withoutDepartments(lines), `${month} ${format}`).toEqual(shown);
      }
      compared += shown.length;
    }
    return compared;
  },
  async adminRehearsePayrollDraft({ send, exported }) {
    const path = ROUTES.adminCreatePayrollDraft.path;
    const draft = await send<PayrollDraft>('POST', path, {
      walletType: 'salary',
      department: 'all',
      description: '=Biweekly',
      hasOwnAmounts: false,
      amount: money(100_037n, 'USD'),
    });
    const preview = await send<RouteReply<'adminPreviewPayrollDraft'>>(
      'POST',
      `${path}/${draft.id}/preview`,
    );
    const cells = await exported('adminRehearsePayrollDraft', `${path}/${draft.id}/rehearsal`);
    const of = (outcome: string, ...names: string[]) =>
      cells
        .filter((row) => row['Outcome'] === outcome)
        .map((row) => names.map((name) => row[name] ?? ''));
    expect(of('paid', 'Employee', 'Employee ID', 'Amount', 'Recovered')).toEqual(
      preview.payable.map(({ employee: { name, employeeId }, amount, deducted }) => [
        name,
        employeeId ?? '',
        decimal(amount),
        decimal(deducted),
      ]),
    );
    expect(of('skipped', 'Employee', 'Reason')).toEqual(
      preview.skipped.map(({ employee: { name }, reason }) => [name, reason.replaceAll('_', ' ')]),
    );
    return cells.length;
  },
};

type Entry = Pick<
  RouteReply<'adminGetPayoutFile'>['entries'][number],
  'payTo' | 'employee' | 'bankName' | 'last4' | 'reference' | 'amount'
>;

/** Cells of a payment to the bank. */
const ENTRY: ExpectedCells<Entry> = {
  'Pay to': ({ payTo }) => payTo,
  Employee: ({ employee: { name } }) => name,
  'Employee ID': ({ employee: { employeeId } }) => employeeId ?? '',
  'To account': ({ bankName, last4 }) => `${bankName === null ? '' : `${bankName} `}••${last4}`,
  Reference: ({ reference }) => reference,
  Amount: ({ amount }) => decimal(amount),
};

interface JournalLine {
  what: string;
  account: string;
  debit: string;
  credit: string;
}
type CsvRow = Readonly<Record<string, string>>;
const beforeComma = (text = '') => text.split(', ')[0] ?? '';

/** Lines of the journal in the words of the screen, by the format of the file. */
const LINES: Record<(typeof JOURNAL_FORMATS)[number], (row: CsvRow) => JournalLine> = {
  csv: (row) => ({
    what: row['What'] ?? '',
    account: row['Account Name'] ?? '',
    debit: row['Debit'] ?? '',
    credit: row['Credit'] ?? '',
  }),
  quickbooks: (row) => ({
    what: beforeComma(row['Description']),
    account: row['AccountName'] ?? '',
    debit: row['Debits'] ?? '',
    credit: row['Credits'] ?? '',
  }),
  xero: (row) => {
    const amount = row['*Amount'] ?? '';
    const isCredit = amount.startsWith('-');
    return {
      what: beforeComma(row['*Narration']),
      account: row['Description'] ?? '',
      debit: isCredit ? '' : amount,
      credit: isCredit ? amount.slice(1) : '',
    };
  },
};

/** Lines of one account and side as one: the screen has no departments. */
function withoutDepartments(lines: readonly JournalLine[]): JournalLine[] {
  const parts = Map.groupBy(lines, ({ what, account, debit }) =>
    JSON.stringify([what, account, debit !== '']),
  );
  const sum = (amounts: readonly string[]) =>
    amounts.includes('')
      ? ''
      : decimal({
          minor: String(amounts.reduce((total, one) => total + BigInt(one.replace('.', '')), 0n)),
        });
  return [...parts.values()].map((same) => ({
    what: same[0]?.what ?? '',
    account: same[0]?.account ?? '',
    debit: sum(same.map(({ debit }) => debit)),
    credit: sum(same.map(({ credit }) => credit)),
  }));
}
