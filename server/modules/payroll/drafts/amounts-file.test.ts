import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayrollDraft, RouteArguments } from '#contract/api.ts';
import { IMPORT_MAX_ROWS } from '#contract/employee-import.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { retireEverybody } from '#test/factories/payroll.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectDraftSums, payrollFiles } from '#test/payroll-fixture.ts';
import { createPayrollDraft } from './create-draft.ts';
import { listDraftPeople } from './people.ts';

const services = createTestServices('2026-12-08T15:00:00.000Z');
const usd = (minor: number) => money(BigInt(minor), 'USD');
let test: TestDb;
let renee: TestPerson;
let ben: TestPerson;
let ada: TestPerson;
let ira: TestPerson;
let numbers: ReadonlyMap<string, string>;

beforeAll(async () => {
  test = await openTestDb();
  renee = await createAdmin(test.db, services, { firstName: 'Renee' });
});
afterAll(() => test.close());
afterEach(() => expectDraftSums(test.db));
beforeEach(async () => {
  await retireEverybody(test.db);
  await sql`UPDATE company_settings SET payroll_line_limit_minor = 1000000`.execute(test.db);
  ben = await createEmployee(test.db, services, { firstName: 'Ben', department: 'sales' });
  ada = await createEmployee(test.db, services, { firstName: 'Ada', department: 'sales' });
  ira = await createEmployee(test.db, services, { firstName: 'Ira', department: 'hr' });
  const people = await test.db.selectFrom('appUser').select(['id', 'employeeNumber']).execute();
  numbers = new Map(people.map(({ id, employeeNumber }) => [id, employeeNumber ?? '']));
});

const idOf = ({ id }: TestPerson) => numbers.get(id) ?? '';
type Create = RouteArguments<'adminCreatePayrollDraft'>['body'];
const create = (body: Partial<Create> = {}) =>
  withTx(test.db, (tx) =>
    createPayrollDraft(tx, services, renee.by, {
      walletType: 'salary',
      department: 'all',
      payOn: null,
      description: 'Biweekly pay',
      hasOwnAmounts: true,
      amount: null,
      ...body,
    }),
  );
type Reading = Partial<RouteArguments<'adminCheckPayrollFile'>['query']>;
type File = readonly string[] | Uint8Array;
const textOf = (file: File) => (file instanceof Uint8Array ? file : file.join('\r\n'));
type Filling = Partial<RouteArguments<'adminFillInPayrollFile'>['query']>;
const files = payrollFiles(
  () => test.db,
  services,
  () => renee.by,
);
const check = ({ id }: PayrollDraft, file: File, query: Reading = {}) =>
  files.check(id, textOf(file), query);
const fill = (draft: PayrollDraft, file: File, query: Filling = {}) =>
  files.fill(draft, textOf(file), query);
async function problems(draft: PayrollDraft, file: File, query: Reading = {}) {
  const found = await check(draft, file, query);
  expect(found.counts.problems).toBe(found.problems.length);
  return found.problems.map(({ row, column, message }) => `${row} ${column}: ${message}`);
}
async function amounts({ id }: PayrollDraft) {
  const { people } = await listDraftPeople(test.db, services, { id });
  return new Map(
    people.flatMap(({ id: userId, amount }) => (amount === null ? [] : [[userId, amount.minor]])),
  );
}

const HEADER = 'Emp_ID,Email,Net_Pay';

describe('amounts of a payroll from a file', () => {
  it('take the place of those of the draft', async () => {
    const draft = await create();
    const first = await fill(draft, [HEADER, `${idOf(ira)},,5.00`, `${idOf(ben)},,7.00`]);
    expect(first).toMatchObject({
      version: 2,
      startedFrom: 'file',
      employees: 2,
      total: usd(1_200),
      hasOwnAmounts: true,
    });
    const second = await fill(first, [
      'Net pay December',
      HEADER,
      `${idOf(ben)},${ben.email},"2,972.50"`,
      `,${ada.email.toUpperCase()},$320`,
      'Total,,3292.50',
    ]);
    expect(second).toMatchObject({ version: 3, employees: 2, total: usd(329_250) });
    expect(await amounts(second)).toEqual(
      new Map([
        [ben.id, '297250'],
        [ada.id, '32000'],
      ]),
    );
    const { rows } = await sql<{ details: object }>`
      SELECT details FROM audit_event
       WHERE subject_id = ${draft.id} AND action = 'payroll_draft.filled_in' ORDER BY id`.execute(
      test.db,
    );
    expect(rows.map(({ details }) => details)).toMatchObject([
      { file: 'net-pay.csv', employees: 2, total: '1200', controlTotal: '1200', leftOut: '' },
      { total: '329250', columns: ['Emp_ID', 'Email', 'Net_Pay'] },
    ]);
  });

  it('are read with semicolons and a decimal comma, a byte order mark, UTF-16, tabs and quotes', async () => {
    const draft = await create();
    const lines = (mark: string, thousands: string) =>
      [`Employee ID${mark}Amount`, `"=""${idOf(ben)}"""${mark}"2${thousands}972,50"`].join('\n');
    const comma = Buffer.from(`\uFEFF${lines(';', '.')}`);
    const wide = Buffer.from(`\uFEFF${lines('\t', ' ')}`, 'utf16le');
    const found = await Promise.all([check(draft, comma), check(draft, wide)]);
    expect(found.map(({ total, counts }) => [total.minor, counts.problems])).toEqual([
      ['297250', 0],
      ['297250', 0],
    ]);
  });

  it('leave out who has an empty cell', async () => {
    const draft = await create();
    const file = [HEADER, `${idOf(ben)},,5.00`, `${idOf(ada)},,`, 'TR-99999,,'];
    expect(await check(draft, file)).toMatchObject({ counts: { rows: 3, blank: 2, problems: 0 } });
    expect(await amounts(await fill(draft, file))).toEqual(new Map([[ben.id, '500']]));
    const empty = fill(draft, [HEADER, `${idOf(ben)},,`], { version: 2, controlTotal: 'none' });
    await expect(empty).rejects.toMatchObject({ code: 'payroll_file_nobody' });
  });

  it('have errors by row and column, of which one is enough that nothing is filled in', async () => {
    const gone = await createEmployee(test.db, services);
    const { rows: left } = await sql<{ number: string }>`
      UPDATE app_user SET deactivated_at = now() WHERE id = ${gone.id}
      RETURNING employee_number AS number`.execute(test.db);
    await sql`UPDATE wallet SET closed_at = now() WHERE user_id = ${ira.id}`.execute(test.db);
    const draft = await create();
    const file = [
      HEADER,
      `${idOf(ben)},,0`,
      `${idOf(ben)},,-5.00`,
      `${idOf(ada)},,2.940`,
      `${idOf(ada)},,2940.000`,
      'TR-99999,,5.00',
      ',nobody@purser.test,5.00',
      ',,5.00',
      `${idOf(ben)},${ada.email},5.00`,
      `${left[0]?.number},,5.00`,
      `${idOf(ira)},,5.00`,
      `${idOf(ada)},,=1+1`,
      `${idOf(ada)},,"1.000,00"`,
    ];
    expect(await problems(draft, file)).toEqual([
      '2 Net_Pay: Zero. Leave the cell empty instead.',
      '3 Net_Pay: Negative. Enter an amount above zero.',
      '3 Emp_ID: Same person as row 2',
      '4 Net_Pay: More than two decimals.',
      '5 Net_Pay: More than two decimals.',
      '5 Emp_ID: Same person as row 4',
      '6 Emp_ID: Nobody has this employee ID',
      '7 Email: Nobody has this address',
      '8 Emp_ID: Names nobody',
      '9 Email: Not the address of this employee ID',
      '10 Emp_ID: No longer with the company',
      '11 Emp_ID: Salary Wallet account is closed',
      '12 Net_Pay: A formula. Enter the amount itself.',
      '12 Emp_ID: Same person as row 4',
      '13 Net_Pay: Written with a comma before the cents, other amounts of the file with a point.',
      '13 Emp_ID: Same person as row 4',
    ]);
    await expect(fill(draft, file)).rejects.toMatchObject({
      code: 'payroll_file_errors',
      message: expect.stringContaining('16 errors'),
    });
    expect(await problems(draft, [HEADER, `${idOf(ada)},,"10,000.01"`])).toEqual([
      '2 Net_Pay: A payroll may pay at most $10,000.00 to each employee.',
    ]);
    expect(await amounts(draft)).toEqual(new Map());
  });

  it('have an error where an amount has a comma and no quotes, or another currency', async () => {
    const draft = await create();
    const file = [
      `${HEADER},Currency`,
      `${idOf(ben)},,1,USD,`,
      `${idOf(ada)},,1,usd,234.50`,
      `${idOf(ira)},,2.00,EUR`,
      `TR-99999,,,,234.50`,
    ];
    expect(await problems(draft, file)).toEqual([
      '3 5: Behind the last column. Put quotes around an amount or a text with a comma in it.',
      '4 Currency: Not in USD.',
      '5 5: Behind the last column. Put quotes around an amount or a text with a comma in it.',
    ]);
    expect(await check(draft, file, { leftOut: '3,4,5' })).toMatchObject({
      filled: usd(100),
      counts: { problems: 0 },
    });
  });

  it('are for the people of the draft', async () => {
    const file = [HEADER, `${idOf(ben)},,5.00`, `${idOf(ira)},,5.00`];
    expect(await problems(await create({ department: 'hr' }), file)).toEqual([
      '2 Emp_ID: Not in HR, which this payroll pays',
    ]);
    const chosen = await create({ department: 'chosen', people: [ben.id] });
    expect(await problems(chosen, file)).toEqual([
      '3 Emp_ID: Not among the people chosen for this payroll',
    ]);
    const savings = await create({ walletType: 'savings' });
    expect(await problems(savings, file.slice(0, 2))).toEqual([
      '2 Emp_ID: No Savings Account (401k)',
    ]);
  });

  it('are filled in without the rows that were left out by name', async () => {
    const draft = await create();
    const file = [HEADER, `${idOf(ben)},,5.00`, 'TR-0199,,16.40', `${idOf(ben)},,2.00`];
    const leftOut = '3,4';
    expect(await check(draft, file, { leftOut })).toMatchObject({
      total: usd(2_340),
      filled: usd(500),
      counts: { employees: 1, leftOut: 2, problems: 0 },
      leftOut: [
        { row: 3, who: 'TR-0199', amount: usd(1_640) },
        { row: 4, who: idOf(ben), amount: usd(200) },
      ],
    });
    await expect(fill(draft, file, { leftOut, controlTotal: '500' })).rejects.toMatchObject({
      code: 'payroll_file_total',
    });
    expect(await amounts(await fill(draft, file, { leftOut }))).toEqual(new Map([[ben.id, '500']]));
  });

  it('have the control total to the cent, or are said to have none', async () => {
    const draft = await create();
    const file = [HEADER, `${idOf(ben)},,5.00`, `${idOf(ada)},,7.01`];
    await expect(fill(draft, file, { controlTotal: '1200' })).rejects.toMatchObject({
      code: 'payroll_file_total',
      message:
        'The amounts of the file add up to $12.01, and the control total is $12.00. Nothing was filled in.',
    });
    expect(await amounts(draft)).toEqual(new Map());
    expect(await fill(draft, file, { controlTotal: 'none' })).toMatchObject({ employees: 2 });
  });

  it('are those that were seen, in the version of the draft that was seen', async () => {
    const draft = await create();
    const file = [HEADER, `${idOf(ben)},,5.00`];
    const { hash } = await check(draft, [HEADER, `${idOf(ben)},,6.00`]);
    await expect(fill(draft, file, { hash })).rejects.toMatchObject({ code: 'conflict' });
    const results = await Promise.allSettled([fill(draft, file), fill(draft, file)]);
    expectOneWins(results, 'payroll_draft_changed');
    await sql`UPDATE payroll_draft SET status = 'discarded' WHERE id = ${draft.id}`.execute(
      test.db,
    );
    await expect(check(draft, file)).rejects.toMatchObject({ code: 'payroll_draft_not_open' });
  });

  it('are in the column of the draft’s wallet', async () => {
    const file = ['Employee ID,Net Pay,401k,IRA', 'TR-1,1,2,3'];
    expect((await check(await create(), file)).columns.amount).toBe(1);
    const savings = await create({ walletType: 'savings' });
    expect((await check(savings, file)).columns.amount).toBe(2);
    expect(await check(savings, ['ID,Net Pay,Amount', 'TR-1,1,2'])).toMatchObject({
      columns: { amount: null },
      missing: ['Amount (columns “Net Pay” and “Amount”)'],
    });
  });

  it.each([
    [['Employee ID,Amount,Amount'], 'Amount (columns “Amount” and “Amount”)'],
    [['Employee ID,Net pay,Pay'], 'Amount (columns “Net pay” and “Pay”)'],
    [['Employee ID,Salary,Salary Wallet,Pay'], 'Amount (columns “Salary” and “Salary Wallet”)'],
    [['Email,Work Email,Amount'], 'Email (columns “Email” and “Work Email”)'],
    [['Employee ID,Staff ID,Email,Amount'], 'Employee ID (columns “Employee ID” and “Staff ID”)'],
  ])('are not read of “%s” before somebody says which column it is', async (header, missing) => {
    const draft = await create();
    const file = [...header, `${idOf(ben)},5.00,7.00,9.00`];
    expect(await check(draft, file)).toMatchObject({ missing: [missing], filled: usd(0) });
    await expect(fill(draft, file, { controlTotal: 'none' })).rejects.toMatchObject({
      code: 'payroll_file_columns',
      message: `Choose the column of ${missing}.`,
    });
  });

  it('are read of the one of two columns that somebody chose', async () => {
    const draft = await create();
    const file = ['Employee ID,Amount,Amount', `${idOf(ben)},5.00,7.00`];
    const chosen = { employeeId: 0, amount: 2 };
    expect(await check(draft, file, chosen)).toMatchObject({ missing: [], filled: usd(700) });
    expect(await check(draft, file)).toMatchObject({ missing: [], filled: usd(700) });
  });

  it('are in columns that somebody chose, also for the next file with these headings', async () => {
    const draft = await create();
    const file = ['Lohn', 'Dezember,2026', '', 'Nummer,Betrag,Brutto', `${idOf(ben)},5.00,9.00`];
    expect(await check(draft, file)).toMatchObject({
      missing: ['Employee ID or Email', 'Amount'],
      counts: { employees: 0, problems: 0 },
      samples: [[idOf(ben), '5.00', '9.00']],
    });
    await expect(fill(draft, file, { controlTotal: 'none' })).rejects.toMatchObject({
      code: 'payroll_file_columns',
      message: 'Choose the column of Employee ID or Email and of Amount.',
    });
    await expect(check(draft, file, { employeeId: 0, amount: 3 })).rejects.toMatchObject({
      fields: [{ path: 'amount' }],
    });
    await expect(check(draft, file, { employeeId: 1, amount: 1 })).rejects.toMatchObject({
      fields: [{ path: 'amount', message: 'This column is the Employee ID already' }],
    });
    const chosen = { employeeId: 0, amount: 1 };
    expect(await check(draft, file, chosen)).toMatchObject({ missing: [], filled: usd(500) });
    const { columns } = await check(await create(), file);
    expect(columns).toMatchObject({ employeeId: 0, email: null, amount: 1 });
    // The same headings may mean something else in another wallet.
    const { missing } = await check(await create({ walletType: 'savings' }), file);
    expect(missing).toHaveLength(2);
    expect(await amounts(await fill(draft, file))).toEqual(new Map([[ben.id, '500']]));
  });

  it.each([
    ['import_too_many_rows', [HEADER, ...Array<string>(IMPORT_MAX_ROWS + 1).fill('TR-1,,1.00')]],
    ['import_empty', [HEADER]],
    ['import_unreadable', [HEADER, '"TR-1']],
    ['import_not_text', ['\u0000\u0001']],
    ['import_no_header', ['a@b.example,5.00']],
    ['import_no_header', ['TR-1,5.00', 'TR-2,7.00']],
    ['import_no_header', ['TR-1,5.00 USD', 'TR-2,7.00 USD,as agreed']],
  ])('are refused with %s', async (code, lines) => {
    await expect(check(await create(), lines)).rejects.toMatchObject({ code });
  });
});
