import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PayrollDraft, RouteArguments } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { BREAKDOWN_NAME_LENGTH, findPayrollColumns } from '#contract/payroll-file.ts';
import { withTx } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { retireEverybody } from '#test/factories/payroll.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { payrollFiles, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { payrollActs } from '../batch.ts';
import { lineScope, payrollLines } from '../line-list.ts';
import { createPayrollDraft } from './create-draft.ts';
import { listDraftPeople } from './people.ts';
import { rehearseDraft } from './rehearse-draft.ts';
import { getPayrollDraft } from './rows.ts';
import { savePayrollDraft } from './save-draft.ts';
import { previewPayrollDraft } from './send-draft.ts';

const services = createTestServices('2026-12-08T15:00:00.000Z');
const usd = (minor: number) => money(BigInt(minor), 'USD');
let test: TestDb;
let renee: TestPerson;
let ben: TestPerson;
let ada: TestPerson;

beforeAll(async () => {
  test = await openTestDb();
  renee = await createAdmin(test.db, services, { firstName: 'Renee' });
  await sql`UPDATE company_settings SET separate_payroll_minor = NULL`.execute(test.db);
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  ben = await createEmployee(test.db, services, { firstName: 'Ben' });
  ada = await createEmployee(test.db, services, { firstName: 'Ada' });
});

const create = (copyOf?: RouteArguments<'adminCreatePayrollDraft'>['body']['copyOf']) =>
  withTx(test.db, (tx) =>
    createPayrollDraft(tx, services, renee.by, {
      walletType: 'salary',
      department: 'all',
      payOn: '2026-12-11',
      description: 'Pay',
      hasOwnAmounts: true,
      amount: null,
      ...(copyOf !== undefined && { copyOf }),
    }),
  );
type Reading = Partial<RouteArguments<'adminCheckPayrollFile'>['query']>;
const files = payrollFiles(
  () => test.db,
  services,
  () => renee.by,
);
const check = ({ id }: PayrollDraft, lines: readonly string[], query: Reading = {}) =>
  files.check(id, lines.join('\n'), query);
const fill = (draft: PayrollDraft, lines: readonly string[], query: Reading = {}) =>
  files.fill(draft, lines.join('\n'), query);
const problems = async (lines: readonly string[], query: Reading = {}) =>
  (await check(await create(), lines, query)).problems.map(
    ({ row, column, message }) => `${row} ${column}: ${message}`,
  );
const type = (draft: PayrollDraft, id: string, minor: number) =>
  withTx(test.db, (tx) =>
    savePayrollDraft(tx, services, renee.by, {
      id: draft.id,
      version: draft.version,
      people: [{ id, amount: usd(minor) }],
    }),
  );
const hashOf = async ({ id }: PayrollDraft) =>
  (await previewPayrollDraft(test.db, services, { id, readerId: renee.id })).hash;
async function linesOf(batchId: string): Promise<Map<string, unknown>> {
  const lines = await test.db
    .selectFrom('payrollLine')
    .select(['userId', 'breakdown'])
    .where('batchId', '=', batchId)
    .execute();
  return new Map(lines.map(({ userId, breakdown }) => [userId, breakdown]));
}
async function netsOf({ id }: PayrollDraft) {
  const { people } = await listDraftPeople(test.db, services, { id });
  return new Map(people.map((one) => [one.id, one.breakdownNet?.minor ?? null]));
}
async function exported(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

const HEADER = 'Email,Gross_Pay,Federal Tax,=Pension,Net_Pay';
const file = () => [
  HEADER,
  `${ben.email},"3,910.00",637.50,300.00,"2,972.50"`,
  `${ada.email},320.00,0.00,,320.00`,
];
const ofBen = [
  ['Gross_Pay', '391000'],
  ['Federal Tax', '63750'],
  ['=Pension', '30000'],
];
const ofAda = [['Gross_Pay', '32000']];

/** Names of as many columns of deductions. */
const taxes = (count: number) => Array.from({ length: count }, (_, index) => `Tax ${index + 1}`);

it('keeps each of more than twenty deductions', async () => {
  const names = taxes(57);
  const lines = [
    ['Email', 'Gross Pay', ...names, 'Net Pay'].join(','),
    [ben.email, '100.00', ...names.map(() => '1.00'), '43.00'].join(','),
  ];
  const draft = await fill(await create(), lines);
  const batch = await sendDraftAsSeen(test.db, renee.by.actor, draft.id, services);
  expect((await linesOf(batch.id)).get(ben.id)).toEqual([
    ['Gross Pay', '10000'],
    ...names.map((name) => [name, '100']),
  ]);
});

it('refuses a file that names more columns than are read', async () => {
  const header = ['Email', 'Gross Pay', ...taxes(57), 'Net Pay'];
  const row = `${ben.email},100.00`;
  await expect(check(await create(), [[...header, 'Dues'].join(','), row])).rejects.toMatchObject({
    code: 'import_unreadable',
    details: { line: 1, why: expect.stringMatching(/^it names more than 60 columns/) },
  });
  // Columns without a name at the end, as spreadsheets write them, are none.
  const { header: read } = await check(await create(), [[...header, '', ' '].join(','), row]);
  expect(read).toEqual(header);
});

it('goes from a file into the draft and its payroll, with the headings of the file', async () => {
  const draft = await create();
  expect(await check(draft, file())).toMatchObject({
    columns: { amount: 4, gross: 1, deductions: [2, 3] },
    breakdown: { employees: 2, gross: usd(423_000), deductions: usd(93_750) },
    counts: { problems: 0 },
  });
  const filled = await fill(draft, file());
  expect(await netsOf(filled)).toEqual(
    new Map([
      [ben.id, '297250'],
      [ada.id, '32000'],
    ]),
  );
  const rehearsal = await rehearseDraft(test.db, services, { id: draft.id });
  const rehearsed = await exported(rehearsal.chunks);
  expect(rehearsed).toContain(
    `3910.00,937.50,"Gross_Pay 3910.00; Federal Tax 637.50; '=Pension 300.00"\r\n`,
  );
  const batch = await sendDraftAsSeen(test.db, renee.by.actor, draft.id, services);
  expect(await linesOf(batch.id)).toEqual(
    new Map<string, unknown>([
      [ben.id, ofBen],
      [ada.id, ofAda],
    ]),
  );
  const view = { search: '', status: 'all' } as const;
  const csv = payrollLines.csv(test.db, view, await lineScope(test.db, batch.id));
  expect(await exported(csv)).toContain(',320.00,0.00,Gross_Pay 320.00\r\n');

  // Stopped, it is a draft again with what it had; a copy for another payday has the amounts alone.
  const copy = await create({ batch: batch.id });
  expect([...(await netsOf(copy)).values()]).toEqual([null, null]);
  await withTx(test.db, (tx) => payrollActs.stop(tx, services, renee.by, { id: batch.id }));
  const { id } = await test.db
    .selectFrom('payrollDraft')
    .select('id')
    .where('fromBatchId', '=', batch.id)
    .executeTakeFirstOrThrow();
  const back = await getPayrollDraft(test.db, await readSettings(test.db), id);
  expect(await netsOf(back)).toEqual(await netsOf(filled));
  expect(await netsOf(await create({ draft: id }))).toEqual(await netsOf(filled));
});

it('is in no payroll while another amount is typed, and returns with the former amount', async () => {
  const filled = await fill(await create(), file());
  const first = await hashOf(filled);
  const typed = await type(filled, ben.id, 297_251);
  expect(await netsOf(typed)).toEqual(await netsOf(filled));
  expect(await hashOf(typed)).not.toBe(first);
  const undone = await type(typed, ben.id, 297_250);
  expect(await hashOf(undone)).toBe(first);
  const again = await type(undone, ben.id, 1);
  const batch = await sendDraftAsSeen(test.db, renee.by.actor, again.id, services);
  expect(await linesOf(batch.id)).toEqual(
    new Map<string, unknown>([
      [ben.id, null],
      [ada.id, ofAda],
    ]),
  );
});

it('is part of the hash of the preview, and gone with amounts of another source', async () => {
  const filled = await fill(await create(), file());
  const first = await hashOf(filled);
  const renamed = await fill(filled, [HEADER.replace('Pension', 'Union dues'), ...file().slice(1)]);
  expect(await hashOf(renamed)).not.toBe(first);
  // Without the column of gross pay there is no breakdown. Other headings: the choice is remembered.
  const other = [HEADER.replace('Email', 'E-mail'), ...file().slice(1)];
  const plain = await fill(renamed, other, { email: 0, amount: 4 });
  expect([...(await netsOf(plain)).values()]).toEqual([null, null]);
  expect(await hashOf(plain)).not.toBe(first);
});

it('has errors by row and column where gross pay less deductions is not net pay to the cent', async () => {
  const rows = (...cells: string[]) => [HEADER, ...cells.map((one) => `${ben.email},${one}`)];
  expect(await problems(rows('100.00,10.00,5.01,85.00'))).toEqual([
    '2 Net_Pay: Gross less deductions makes $84.99, not this amount.',
  ]);
  expect(await problems(rows('10.00,20.00,,5.00'))).toEqual([
    '2 Net_Pay: Gross less deductions makes −$10.00, not this amount.',
  ]);
  expect(await problems(rows('=B2,-1,x,5.00'))).toEqual([
    '2 Gross_Pay: A formula. Enter the amount itself.',
    '2 Federal Tax: Negative. Enter an amount above zero.',
    '2 =Pension: Not an amount in USD.',
  ]);
  expect(await problems(rows(',1.00,,5.00'))).toEqual([
    '2 Gross_Pay: Empty, but the row has deductions.',
  ]);
  // A person of whom the provider computed nothing; a person who is not in this payroll.
  expect(await problems(rows(',,,5.00'))).toEqual([]);
  expect(await problems(rows('100.00,10.00,5.01,'))).toEqual([]);
});

it('is read from columns that somebody chose, of which each has one meaning', async () => {
  const lines = ['Email,Brutto,Steuer,Netto', `${ben.email},10.00,4.00,6.00`];
  const refusal = async (query: Reading) => {
    const refused = await check(await create(), lines, query).then(
      () => ({}),
      (error: unknown) => error,
    );
    return refused as { fields?: unknown };
  };
  const chosen = { email: 0, amount: 3, gross: 1 };
  expect((await refusal({ ...chosen, deductions: '1' })).fields).toEqual([
    { path: 'deductions', message: 'This column is the Gross already' },
  ]);
  expect((await refusal({ ...chosen, deductions: '2,2' })).fields).toEqual([
    { path: 'deductions', message: 'This column is a deduction already' },
  ]);
  expect((await refusal({ email: 0, amount: 3, deductions: '2' })).fields).toEqual([
    { path: 'gross', message: 'Choose the column of gross pay, too' },
  ]);
  expect(await problems(lines, { ...chosen, deductions: '2' })).toEqual([]);
  // Remembered by the headings.
  const { columns } = await check(await create(), lines);
  expect(columns).toMatchObject({ gross: 1, deductions: [2] });
});

it('has names that fit on a payslip', async () => {
  const long = 'Voluntary\t \u202econtribution'.padEnd(200, 'x');
  const lines = [`Email,Gross,,"${long}",Net`, `${ben.email},9.00,1.00,2.00,6.00`];
  const query = { email: 0, amount: 4, gross: 1, deductions: '2,3' };
  const draft = await fill(await create(), lines, query);
  const batch = await sendDraftAsSeen(test.db, renee.by.actor, draft.id, services);
  expect((await linesOf(batch.id)).get(ben.id)).toEqual([
    ['Gross', '900'],
    ['Column 3', '100'],
    ['Voluntary contribution'.padEnd(BREAKDOWN_NAME_LENGTH, 'x'), '200'],
  ]);
});

it('is not kept with a line whose amount is another', async () => {
  const filled = await fill(await create(), file());
  const batch = await sendDraftAsSeen(test.db, renee.by.actor, filled.id, services);
  const line = sql`INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status, breakdown)
    SELECT batch_id, line_number + 100, ${renee.id}, wallet_id, amount_minor, 'draft', breakdown || '[["Tax", "1"]]'
      FROM payroll_line WHERE batch_id = ${batch.id} LIMIT 1`;
  await expect(line.execute(test.db)).rejects.toMatchObject({
    constraint: 'payroll_line_breakdown',
  });
});

it('is read after somebody chose one of two columns that could both be gross pay', async () => {
  const draft = await create();
  const lines = ['Email,Gross,Gross pay,Tax,Net', `${ben.email},9.00,10.00,1.00,8.00`];
  expect(await check(draft, lines)).toMatchObject({
    missing: ['Gross (columns “Gross” and “Gross pay”)'],
    columns: { gross: null, deductions: [3] },
    counts: { employees: 0 },
  });
  const chosen = { email: 0, amount: 4, gross: 1, deductions: '3' };
  expect(await check(draft, lines, chosen)).toMatchObject({
    missing: [],
    breakdown: { employees: 1, gross: usd(900) },
  });
  // Columns of gross pay that explain no net pay are not read, so nothing is asked about them.
  const unexplained = ['Email,Gross,Gross pay,Net', `${ben.email},9.00,10.00,8.00`];
  expect(await check(draft, unexplained)).toMatchObject({ missing: [], breakdown: null });
});

it.each([
  ['ID,Gross Pay,Federal tax,State Tax,Net Pay', { amount: 4, gross: 1, deductions: [2, 3] }],
  ['ID,Gross,Total_Ded,Net', { amount: 3, gross: 1, deductions: [2] }],
  ['ID,Gross,Tax,Dental,Total deductions,Net', { gross: 1, deductions: [2, 3] }],
  ['ID,Gross,Taxable gross,Employer tax,YTD tax,Tax,Net', { gross: 1, deductions: [5] }],
  ['ID,Gross,Bonus,Net', { gross: null, deductions: [] }],
  [
    'Staff ID,Gross Pay ($),Tax,Net Pay (USD)',
    { employeeId: 0, amount: 3, gross: 1, deductions: [2] },
  ],
  ['ID,Salary,Salary Wallet,Net', { amount: null }],
  ['ID,Federal tax,Net', { gross: null, deductions: [] }],
])('columns of “%s” are found by their names', (header, found) => {
  expect(findPayrollColumns(header.split(','), 'salary')).toMatchObject(found);
});
