import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PayrollDraft, RouteArguments } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { retireEverybody } from '#test/factories/payroll.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { OWN_AMOUNTS, payrollFiles } from '#test/payroll-fixture.ts';
import { createPayrollDraft } from './create-draft.ts';
import { addDraftWallet } from './parts.ts';
import { listDraftPeople } from './people.ts';
import { getPayrollDraft } from './rows.ts';
import { savePayrollDraft } from './save-draft.ts';

const services = createTestServices();
const usd = (minor: number) => money(BigInt(minor), 'USD');
let test: TestDb;
let renee: TestPerson;
let ben: TestPerson;
let ada: TestPerson;
let numbers: ReadonlyMap<string, string>;

beforeAll(async () => {
  test = await openTestDb();
  renee = await createAdmin(test.db, services, { firstName: 'Renee' });
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  await sql`UPDATE company_settings SET payroll_line_limit_minor = 1000000`.execute(test.db);
  ben = await createEmployee(test.db, services, { firstName: 'Ben' });
  ada = await createEmployee(test.db, services, { firstName: 'Ada' });
  for (const [person, type] of [
    [ben, 'savings'],
    [ada, 'savings'],
    [ben, 'irs'],
  ] as const) {
    await withTx(test.db, (tx) => openWallet(tx, services, { userId: person.id, type }));
  }
  const people = await test.db.selectFrom('appUser').select(['id', 'employeeNumber']).execute();
  numbers = new Map(people.map(({ id, employeeNumber }) => [id, employeeNumber ?? '']));
});

const idOf = ({ id }: TestPerson) => numbers.get(id) ?? '';
const files = payrollFiles(
  () => test.db,
  services,
  () => renee.by,
);
type Reading = Partial<RouteArguments<'adminCheckPayrollFile'>['query']>;
const check = ({ id }: PayrollDraft, lines: readonly string[], query: Reading = {}) =>
  files.check(id, lines.join('\r\n'), query);
const read = async (id: string) => getPayrollDraft(test.db, await readSettings(test.db), id);
/** A draft of salaries with parts of those types. */
async function payrollOf(...types: WalletType[]): Promise<PayrollDraft> {
  const { id } = await withTx(test.db, (tx) =>
    createPayrollDraft(tx, services, renee.by, OWN_AMOUNTS),
  );
  for (const walletType of types) {
    await withTx(test.db, (tx) => addDraftWallet(tx, services, renee.by, { id, walletType }));
  }
  return read(id);
}
const partOf = ({ wallets }: PayrollDraft, type: WalletType) =>
  wallets.find(({ walletType }) => walletType === type)?.id ?? '';
async function amountsIn(id: string): Promise<Record<string, string>> {
  const { people } = await listDraftPeople(test.db, services, { id });
  return Object.fromEntries(
    people.flatMap(({ name, amount }) => (amount === null ? [] : [[name, amount.minor]])),
  );
}

const HEAD = 'Employee ID,Net Pay,401k,IRS';
const file = () => [HEAD, `${idOf(ben)},2340.00,120.50,`, `${idOf(ada)},1900.25,80.00,`];

it('fills in each type of wallet from its column, with sums for each and one control total', async () => {
  const draft = await payrollOf('savings');
  const checked = await check(draft, file());
  expect(checked).toMatchObject({
    missing: [],
    problems: [],
    total: usd(444_075),
    filled: usd(444_075),
    columns: { amount: 1, savings: 2, irs: null },
    counts: { rows: 2, employees: 2, blank: 0 },
    wallets: [
      { walletType: 'salary', employees: 2, total: usd(424_025) },
      { walletType: 'savings', employees: 2, total: usd(20_050) },
    ],
  });
  await expect(
    files.fill(draft, file().join('\n'), { controlTotal: '424025' }),
  ).rejects.toMatchObject({ code: 'payroll_file_total' });
  const filled = await files.fill(draft, file().join('\n'));
  expect(filled.wallets).toMatchObject([{ total: usd(424_025) }, { total: usd(20_050) }]);
  expect(Object.values(await amountsIn(partOf(draft, 'savings'))).toSorted()).toEqual([
    '12050',
    '8000',
  ]);
});

it('leaves a person with an empty cell out of that type alone, and a type without a column as it is', async () => {
  const draft = await payrollOf('savings', 'irs');
  const irs = partOf(draft, 'irs');
  const { version } = await read(irs);
  await withTx(test.db, (tx) =>
    savePayrollDraft(tx, services, renee.by, {
      id: irs,
      version,
      people: [{ id: ben.id, amount: usd(700) }],
    }),
  );
  const lines = ['Employee ID,Net Pay,Savings', `${idOf(ben)},10.00,`, `${idOf(ada)},,5.00`];
  expect(await check(draft, lines)).toMatchObject({
    counts: { employees: 2, blank: 0, problems: 0 },
    columns: { irs: null },
  });
  await files.fill(draft, lines.join('\n'));
  expect(Object.values(await amountsIn(draft.id))).toEqual(['1000']);
  expect(Object.values(await amountsIn(partOf(draft, 'savings')))).toEqual(['500']);
  expect(Object.values(await amountsIn(irs))).toEqual(['700']);
});

it('names each error with its row and column, once, and fills in nothing', async () => {
  const draft = await payrollOf('savings', 'irs');
  const lines = [
    HEAD,
    `${idOf(ben)},10.00,0,5`,
    `${idOf(ada)},10.00,-1,3.00`,
    'TR-9999,1.00,1.00,1.00',
  ];
  const { problems } = await check(draft, lines);
  expect(problems.map(({ row, column }) => `${row} ${column}`).toSorted()).toEqual([
    '2 401k',
    '3 401k',
    '3 Employee ID',
    '4 Employee ID',
  ]);
  expect(problems.find(({ row, column }) => row === 3 && column === 'Employee ID')?.message).toBe(
    'No IRS Account',
  );
  await expect(files.fill(draft, lines.join('\n'))).rejects.toMatchObject({
    code: 'payroll_file_errors',
  });
  expect(await amountsIn(draft.id)).toEqual({});
});

it('counts all wallets of a person against the limit for one person', async () => {
  const draft = await payrollOf('savings');
  const lines = [HEAD, `${idOf(ben)},9900.00,100.01,`, `${idOf(ada)},9900.00,100.00,`];
  expect((await check(draft, lines)).problems).toMatchObject([
    { row: 2, column: 'All wallets', value: '10000.01' },
  ]);
});

it('fills in nothing over amounts that somebody changed since the check, of any type', async () => {
  const draft = await payrollOf('savings');
  const { hash, total } = await check(draft, file());
  const savings = partOf(draft, 'savings');
  await withTx(test.db, async (tx) =>
    savePayrollDraft(tx, services, renee.by, {
      id: savings,
      version: 1,
      people: [{ id: ben.id, amount: usd(1) }],
    }),
  );
  await expect(
    files.fill(draft, file().join('\n'), { hash, controlTotal: total.minor }),
  ).rejects.toMatchObject({ code: 'conflict' });
  expect(Object.values(await amountsIn(savings))).toEqual(['1']);
});

it('remembers the columns of all types by the headings', async () => {
  const draft = await payrollOf('savings');
  const lines = ['Nummer,Lohn,Sparen', `${idOf(ben)},10.00,2.00`];
  const chosen = { employeeId: 0, amount: 1, savings: 2 };
  expect(await check(draft, lines, chosen)).toMatchObject({ total: usd(1_200) });
  expect((await check(await payrollOf('savings'), lines)).columns).toMatchObject(chosen);
  expect((await check(await payrollOf('irs'), lines)).missing).not.toEqual([]);
  await expect(check(draft, lines, { ...chosen, irs: 1 })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

it('asks which of two columns is a further type of wallet', async () => {
  const draft = await payrollOf('savings');
  const two = ['Employee ID,Net Pay,401k,Savings', `${idOf(ben)},5.00,1.00,2.00`];
  expect(await check(draft, two)).toMatchObject({
    missing: ['Savings Account (401k) (columns “401k” and “Savings”)'],
    filled: usd(0),
  });
  expect(await check(draft, two, { employeeId: 0, amount: 1, savings: 3 })).toMatchObject({
    missing: [],
    filled: usd(700),
  });
});
