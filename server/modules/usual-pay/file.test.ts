import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { createEmployee, createEmployeeAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import {
  checkedPayFile,
  confirmPayFile,
  openPayCompany,
  uploadPayLines,
} from '#test/factories/usual-pay.ts';
import { expectOneWins } from '#test/one-wins.ts';
import type { TestDb } from '#test/open-db.ts';
import { discardUsualPayFile } from './confirm-file.ts';
import { usualPay } from './index.ts';
import { readUsualPay } from './queries.ts';

const NOW = '2026-12-08T15:00:00.000Z';
const services = createTestServices(NOW);
let company: TestDb;
let renee: TestPerson;
let theo: TestPerson;
let ben: TestPerson;
let ada: TestPerson;
const numbers = new Map<string, string>();

beforeAll(async () => {
  ({ company, renee, theo } = await openPayCompany(services));
});
afterAll(() => company.close());
beforeEach(async () => {
  services.clock.set(NOW);
  await sql`UPDATE company_settings SET separate_usual_pay_minor = NULL`.execute(company.db);
  await company.db.deleteFrom('usualPayImport').execute();
  ben = await createEmployee(company.db, services, { firstName: 'Ben' });
  ada = await createEmployee(company.db, services, { firstName: 'Ada' });
  await readNumbers();
});

async function readNumbers() {
  const people = await company.db.selectFrom('appUser').select(['id', 'employeeNumber']).execute();
  for (const { id, employeeNumber } of people) numbers.set(id, employeeNumber ?? '');
}

const idOf = ({ id }: TestPerson) => numbers.get(id) ?? '';

const upload = (lines: readonly string[], by = renee) =>
  uploadPayLines(company.db, services, by.by, lines);
const uploaded = (lines: readonly string[], by = renee) =>
  checkedPayFile(company.db, services, by.by, lines);
const confirm = (one: { id: string; hash: string }, by: TestPerson) =>
  confirmPayFile(company.db, services, by.by, one);
/** Changes the only row past the commands, as whoever may write it can. */
async function replaceRow(changed: Partial<Record<'id' | 'sentBy' | 'createdBy', string>>) {
  const [found] = await company.db.deleteFrom('usualPayImport').returningAll().execute();
  if (found === undefined) throw new Error('there is no file');
  const changes = JSON.stringify(found.changes);
  await company.db
    .insertInto('usualPayImport')
    .values({ ...found, changes, ...changed })
    .execute();
}
const paid = async (person: TestPerson) => {
  const { rows } = await usualPay('salary', '2026-12-11').execute(company.db);
  return rows.find(({ userId }) => userId === person.id)?.amountMinor ?? null;
};

const HEADER = 'Employee_ID,Email,Valid From,Net Pay,401k';
const row = (person: TestPerson, pay = '2940.00') => `${idOf(person)},,12/11/2026,${pay},`;

describe('a file of usual pay', () => {
  test('changes everybody in it once it is confirmed', async () => {
    const one = await uploaded([
      'Pay 2026',
      HEADER,
      row(ben),
      `,${ada.email.toUpperCase()},2026-12-11,"1,000.50",`,
      'Total,,,3940.50,',
    ]);
    expect(one).toMatchObject({
      status: 'checked',
      needsSecond: false,
      counts: { changed: 2, same: 0 },
      before: { minor: '0' },
      after: { minor: '394050' },
      changes: [
        { row: 3, person: { id: ben.id } },
        { row: 4, person: { id: ada.id } },
      ],
    });
    expect(await paid(ben)).toBeNull();
    expect(await confirm(one, renee)).toMatchObject({ status: 'taken' });
    expect([await paid(ben), await paid(ada)]).toEqual([294_000n, 100_050n]);
    const { changes } = await readUsualPay(company.db, services, renee.by.actor, ben.id);
    expect(changes).toMatchObject([{ reason: 'File pay.csv', status: 'confirmed' }]);
    await expect(confirm(one, theo)).rejects.toMatchObject({ code: 'import_wrong_status' });
  });

  test('is refused for an amount with a comma and no quotes, and for another currency', async () => {
    const file = [
      'Employee ID,Valid From,Net Pay,Currency',
      `${idOf(ben)},12/11/2026,1,234.50,USD`,
      `${idOf(ada)},12/11/2026,1.00,EUR`,
    ];
    expect(await upload(file)).toMatchObject({
      problems: [
        { row: 2, column: '5', value: 'USD' },
        { row: 3, column: 'Currency', value: 'EUR', message: 'Not in USD.' },
      ],
    });
  });

  test('has a decimal comma where all of it has', async () => {
    const one = await uploaded([
      'Employee ID;Valid from;Salary',
      `${idOf(ben)};2026-12-11;2.940,00`,
      `"=""${idOf(ada)}""";2026-12-11;320,5`,
    ]);
    await confirm(one, renee);
    expect([await paid(ben), await paid(ada)]).toEqual([294_000n, 32_050n]);
  });

  test('leaves out cells that are empty, and people who stay as they are', async () => {
    await confirm(await uploaded([HEADER, row(ben)]), renee);
    const third = await createEmployee(company.db, services);
    await readNumbers();
    const one = await uploaded([HEADER, row(ben), row(ada, ''), row(third)]);
    expect(one.counts).toEqual({ changed: 1, same: 2 });
  });

  test('with errors is not kept, each is named by row and column, and the file before it stays', async () => {
    const gone = await createEmployee(company.db, services);
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${gone.id}`.execute(company.db);
    const own = await createEmployeeAdmin(company.db, services);
    await readNumbers();
    const before = await uploaded([HEADER, row(ben)], own);
    const {
      problems,
      problemCount,
      import: kept,
    } = await upload(
      [
        HEADER,
        row(ben, '2940.000'),
        row(ada, '"1.000,00"'),
        `TR-99999,,12/11/2026,5.00,`,
        `,nobody@purser.test,12/11/2026,5.00,`,
        `,,12/11/2026,5.00,`,
        `${idOf(ben)},${ada.email},12/11/2026,5.00,`,
        row(gone),
        row(own),
        `${idOf(ada)},,12/12/2026,5.00,`,
        row(ben, '=1+1'),
      ],
      own,
    );
    expect(problemCount).toBe(problems.length);
    expect(
      problems.map(({ row: number, column, message }) => `${number} ${column}: ${message}`),
    ).toEqual([
      '2 Net Pay: More than two decimals.',
      '3 Net Pay: Written with a comma before the cents, other amounts of the file with a point.',
      '4 Employee_ID: Nobody has this employee ID',
      '5 Email: Nobody has this address',
      '6 Employee_ID: Names nobody',
      '7 Email: Not the address of this employee ID',
      '8 Employee_ID: This person is not paid by payroll now.',
      '9 Employee_ID: This is you. Another administrator has to change it.',
      '10 Employee_ID: Same person as row 3',
      '11 Net Pay: A formula. Enter the amount itself.',
      '11 Employee_ID: Same person as row 2',
    ]);
    expect(problems[1]).toMatchObject({ value: '1.000,00' });
    expect(kept).toBeNull();
    expect(await company.db.selectFrom('usualPayImport').select('id').execute()).toEqual([
      { id: before.id },
    ]);
  });

  test('names a payday, an open account, and an amount below the limit', async () => {
    const { problems } = await upload([
      HEADER,
      `${idOf(ben)},,12/12/2026,5.00,7.00`,
      row(ada, '999999999.00'),
    ]);
    expect(
      problems.map(({ row: number, column, message }) => `${number} ${column}: ${message}`),
    ).toEqual([
      '2 Valid From: Not a payday. The next one after it is Dec 24, 2026',
      '2 401k: This person has no open Savings Account (401k). Open it first.',
      '3 Net Pay: A payroll may pay at most $50,000.00 to each employee.',
    ]);
  });

  test.each([
    ['usual_pay_columns', ['Name,Amount', 'Ben,5.00']],
    ['usual_pay_columns', ['a@b.example,2026-12-11,5.00']],
    ['import_empty', [HEADER]],
    ['import_unreadable', [HEADER, '"TR-1']],
    ['import_not_text', ['\u0000\u0001']],
  ])('is refused with %s', async (code, lines) => {
    await expect(upload(lines)).rejects.toMatchObject({ code });
  });

  test('is refused with two columns for one amount, and both are named', async () => {
    const lines = ['Email,Valid from,Net Pay,Amount', `${ben.email},2026-12-11,5.00,7.00`];
    await expect(upload(lines)).rejects.toMatchObject({
      code: 'import_columns_twice',
      message: expect.stringContaining('Salary Wallet (columns “Net Pay” and “Amount”)'),
    });
  });

  test('takes a second administrator where a change is above the setting', async () => {
    await sql`UPDATE company_settings SET separate_usual_pay_minor = 100000`.execute(company.db);
    const one = await uploaded([HEADER, row(ben), row(ada, '5.00')]);
    expect(one.needsSecond).toBe(true);
    expect(await confirm(one, renee)).toMatchObject({
      status: 'waiting',
      sentBy: 'Renee Albright',
      approval: {
        mayApprove: false,
        isMine: true,
        people: expect.arrayContaining([{ name: 'Theo Marchetti', from: null }]),
      },
    });
    expect(await paid(ben)).toBeNull();
    await expect(confirm(one, renee)).rejects.toMatchObject({ code: 'second_person_needed' });
    await expect(upload([HEADER, row(ben)])).rejects.toMatchObject({ code: 'import_in_progress' });
    expect(await confirm(one, theo)).toMatchObject({
      status: 'taken',
      taken: { by: 'Theo Marchetti' },
    });
    const { changes } = await readUsualPay(company.db, services, renee.by.actor, ben.id);
    expect(changes).toMatchObject([
      {
        needsSecond: true,
        changedBy: { name: 'Renee Albright' },
        decided: { by: 'Theo Marchetti' },
      },
    ]);
    const checks = businessChecks.filter(({ name }) => name.startsWith('usual-pay'));
    expect(await withTx(company.db, (tx) => runChecks(tx, checks))).toEqual([]);
  });

  test('is confirmed as it was seen, and not by whom it changes', async () => {
    const admin = await createEmployeeAdmin(company.db, services, { firstName: 'Ira' });
    await readNumbers();
    const one = await uploaded([HEADER, row(admin)]);
    await expect(confirm(one, admin)).rejects.toMatchObject({ code: 'own_request' });
    const other = { ...one, hash: one.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) };
    await expect(confirm(other, renee)).rejects.toMatchObject({ code: 'conflict' });
    await confirm(one, renee);
  });

  test('is not confirmed where its row was replaced', async () => {
    const one = await uploaded([HEADER, row(ben)]);
    const other = await uploaded([HEADER, row(ben, '9999.00')]);
    await replaceRow({ id: one.id });
    const replaced = confirm({ id: one.id, hash: other.hash }, renee);
    await expect(replaced).rejects.toMatchObject({ code: 'conflict' });
    expect(await paid(ben)).toBeNull();
  });

  test('is not confirmed by one person alone where its row names another sender', async () => {
    await sql`UPDATE company_settings SET separate_usual_pay_minor = 100000`.execute(company.db);
    const one = await uploaded([HEADER, row(ben)]);
    await confirm(one, renee);
    await replaceRow({ sentBy: theo.id, createdBy: theo.id });
    await expect(confirm(one, renee)).rejects.toMatchObject({ code: 'conflict' });
  });

  test.each([
    ['a person left', () => sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${ben.id}`],
    [
      'an account was closed',
      () => sql`UPDATE wallet SET closed_at = now() WHERE user_id = ${ben.id}`,
    ],
    ['a limit was lowered', () => sql`UPDATE company_settings SET payroll_line_limit_minor = 100`],
  ])('changes nothing where %s meanwhile', async (_what, happen) => {
    const one = await uploaded([HEADER, row(ben), row(ada)]);
    await happen().execute(company.db);
    await expect(confirm(one, renee)).rejects.toMatchObject({ code: 'usual_pay_file_stale' });
    expect(await paid(ada)).toBeNull();
    await sql`UPDATE company_settings SET payroll_line_limit_minor = 10000000`.execute(company.db);
    services.clock.set('2026-12-12T15:00:00.000Z');
    await withTx(company.db, (tx) => discardUsualPayFile(tx, theo.by, one.id));
  });

  test('is taken once, or discarded', async () => {
    const one = await uploaded([HEADER, row(ben)]);
    const discard = () => withTx(company.db, (tx) => discardUsualPayFile(tx, theo.by, one.id));
    const results = await Promise.allSettled([confirm(one, renee), confirm(one, theo), discard()]);
    expectOneWins(results, 'import_wrong_status', 'import_not_found');
  });

  test('names at most 10,000 people', async () => {
    const lines = Array.from({ length: 10_001 }, (_, n) => `TR-X${n},,2026-12-11,5.00,`);
    await expect(upload([HEADER, ...lines])).rejects.toMatchObject({ code: 'usual_pay_too_many' });
    expect((await upload([HEADER, ...lines.slice(1)])).problemCount).toBe(10_000);
  });
});
