import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PayrollDraft, RouteArguments } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { retireEverybody } from '#test/factories/payroll.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import {
  draftOwnAmounts,
  OWN_AMOUNTS,
  payrollFiles,
  sendDraftAsSeen,
} from '#test/payroll-fixture.ts';
import { postPayroll } from '../index.ts';
import { createPayrollDraft } from './create-draft.ts';
import { listPayrollFileErrors } from './fill-in-file.ts';
import { listDraftPeople } from './people.ts';

const services = createTestServices();
const usd = (minor: number) => money(BigInt(minor), 'USD');
let test: TestDb;
let renee: TestPerson;
let ben: TestPerson;
let ada: TestPerson;
let ira: TestPerson;

beforeAll(async () => {
  test = await openTestDb();
  renee = await createAdmin(test.db, services, { firstName: 'Renee' });
  await sql`UPDATE company_settings SET separate_payroll_minor = NULL, payroll_cancel_seconds = 0`.execute(
    test.db,
  );
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  ben = await createEmployee(test.db, services, { firstName: 'Ben' });
  ada = await createEmployee(test.db, services, { firstName: 'Ada', department: 'sales' });
  ira = await createEmployee(test.db, services, { firstName: 'Ira' });
});

const files = payrollFiles(
  () => test.db,
  services,
  () => renee.by,
);
const HEADER = 'Email,Net_Pay';
const linesOf = (...rows: string[]) => [HEADER, ...rows].join('\n');
/** Pays Ada 10.00, Ben 20.00 and Ira 30.00 one day, and opens a draft for the day two weeks later. */
async function paidOnce(order: Partial<typeof OWN_AMOUNTS> = {}): Promise<PayrollDraft> {
  services.clock.set(new Date(services.clock.now().getTime() + 40 * 86_400_000).toISOString());
  const last = new Map([
    [ada.id, 1_000n],
    [ben.id, 2_000n],
    [ira.id, 3_000n],
  ]);
  const { clock } = services;
  const { id } = await draftOwnAmounts(test.db, renee.by.actor, last, { clock });
  await postPayroll(
    test.db,
    services,
    (await sendDraftAsSeen(test.db, renee.by.actor, id, services)).id,
  );
  services.clock.set(new Date(clock.now().getTime() + 14 * 86_400_000).toISOString());
  const body = { ...OWN_AMOUNTS, ...order };
  return withTx(test.db, (tx) => createPayrollDraft(tx, services, renee.by, body));
}
async function amounts({ id }: PayrollDraft) {
  const { people } = await listDraftPeople(test.db, services, { id });
  return new Map(people.map((one) => [one.id, one.amount?.minor ?? null]));
}
const absentIn = async ({ id }: PayrollDraft, file: string) =>
  (await files.check(id, file)).absent.map(({ name, last }) => `${name} ${last.minor}`);
type Filling = Partial<RouteArguments<'adminFillInPayrollFile'>['query']>;

it('names everyone whom the last payroll paid, and no row of the file', async () => {
  const draft = await paidOnce();
  expect(await absentIn(draft, linesOf(`${ben.email},20.00`))).toEqual([
    'Ada Person 1000',
    'Ira Person 3000',
  ]);
  const check = await files.check(draft.id, linesOf(`${ben.email},20.00`));
  expect(check).toMatchObject({ counts: { absent: 2 }, absentLast: usd(4_000) });
  expect(check.lastOn).not.toBeNull();
  // A row without an amount names its person, as does a row that is left out.
  const named = linesOf(`${ben.email},20.00`, `${ada.email},`, `${ira.email},x`);
  expect((await files.check(draft.id, named, { leftOut: '4' })).absent).toEqual([]);
  // Nobody else can be paid: others are for the acknowledgement of who is gone.
  await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${ira.id}`.execute(test.db);
  expect(await absentIn(draft, linesOf(`${ben.email},20.00`))).toEqual(['Ada Person 1000']);
});

it('are those of the draft', async () => {
  const sales = await paidOnce({ department: 'sales' });
  expect(await absentIn(sales, linesOf(`${ada.email},`))).toEqual([]);
  expect(await absentIn(sales, linesOf('x@y.example,'))).toEqual(['Ada Person 1000']);
  const chosen = await paidOnce({ department: 'chosen', people: [ben.id, ira.id] });
  expect(await absentIn(chosen, linesOf(`${ben.email},5.00`))).toEqual(['Ira Person 3000']);
});

it('are left out, paid as last time, or left for the sheet, as somebody chose for each', async () => {
  const draft = await paidOnce();
  const file = linesOf(`${ben.email},21.00`);
  const fill = (query: Filling) => files.fill(draft, file, query);
  await expect(fill({})).rejects.toMatchObject({
    code: 'payroll_file_absent',
    message:
      'The last payroll paid 2 employees whom the file does not name. Choose what becomes of them.',
  });
  await expect(fill({ absent: `out.${ada.id}` })).rejects.toMatchObject({
    code: 'payroll_file_absent',
  });
  await expect(fill({ absent: `out.${ben.id}`, absentRest: 'out' })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect((await amounts(draft)).get(ben.id)).toBe(null);

  const filled = await fill({ absent: `last.${ada.id},out.${ira.id}` });
  expect(filled).toMatchObject({ employees: 2, total: usd(3_100) });
  expect(await amounts(filled)).toEqual(
    new Map([
      [ada.id, '1000'],
      [ben.id, '2100'],
      [ira.id, null],
    ]),
  );
  const rest = await files.fill(filled, file, { absent: `sheet.${ira.id}`, absentRest: 'last' });
  expect(rest.total).toEqual(usd(3_100));
  const { details } = await test.db
    .selectFrom('auditEvent')
    .select('details')
    .where('subjectId', '=', draft.id)
    .where('action', '=', 'payroll_draft.filled_in')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(details).toMatchObject({
    absent: 2,
    absentChoices: `sheet.${ira.id}`,
    absentRest: 'last',
    employees: 2,
  });
});

it('are part of what was seen', async () => {
  const draft = await paidOnce();
  const file = linesOf(`${ben.email},21.00`);
  const { hash } = await files.check(draft.id, file);
  await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${ira.id}`.execute(test.db);
  await expect(files.fill(draft, file, { hash, absentRest: 'out' })).rejects.toMatchObject({
    code: 'conflict',
  });
});

it('rows with errors are downloaded with their reasons, safe for a spreadsheet', async () => {
  const draft = await paidOnce();
  const file = [
    'Email,Net_Pay,"Note, =1"',
    `${ben.email},20.00,fine`,
    `${ben.email},0,=HYPERLINK(A1)`,
    `${ada.email},10.00,+1`,
    'nobody@x.example,"1,000.00"',
  ].join('\n');
  const order = files.order(draft.id, file);
  const { rows, csv } = await listPayrollFileErrors(test.db, services, renee.by, order);
  expect(rows).toBe(2);
  expect(csv.replace('\uFEFF', '').split('\r\n')).toEqual([
    'Email,Net_Pay,"Note, =1",Row in the file,To fix',
    `${ben.email},0,'=HYPERLINK(A1),3,"Net_Pay: Zero. Leave the cell empty instead.; Email: Same person as row 2"`,
    'nobody@x.example,"1,000.00",,5,Email: Nobody has this address',
    '',
  ]);
});
