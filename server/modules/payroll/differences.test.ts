import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PayrollPreview } from '#contract/api.ts';
import type { Department } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import type { PayrollDifference } from '#contract/payroll.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { acknowledgeAll } from '#test/payroll-fixture.ts';
import { acknowledgeDifference } from './acknowledge.ts';
import { createPayrollDraft } from './drafts/create-draft.ts';
import { rehearseDraft } from './drafts/rehearse-draft.ts';
import { savePayrollDraft } from './drafts/save-draft.ts';
import { previewPayrollDraft, sendPayrollDraft } from './drafts/send-draft.ts';
import { postPayroll } from './index.ts';
import { getDifferences, listDifferences } from './read-differences.ts';
import { reverseLine } from './reverse-line.ts';

const services = { clock: systemClock };
const usd = (minor: number) => money(BigInt(minor), 'USD');

let test: TestDb;
let admin: Actor;
let people: string[];
beforeEach(async () => {
  test = await openTestDb();
  admin = await seedAdmin(test.db);
  people = await seed(5);
});
afterEach(() => test.close());

const seed = async (count: number, department: Department = 'engineering') =>
  (await seedEmployees(test.db, { count, department })).map(({ id }) => id);

/** A draft that pays those amounts. */
async function draftOf(
  amounts: Readonly<Record<string, number>>,
  department: Department | 'all' = 'all',
): Promise<string> {
  const { id } = await withTx(test.db, (tx) =>
    createPayrollDraft(
      tx,
      services,
      { actor: admin },
      {
        walletType: 'salary',
        department,
        payOn: null,
        description: 'Pay',
        hasOwnAmounts: true,
        amount: null,
      },
    ),
  );
  await change(id, amounts, 1);
  return id;
}
const change = (id: string, amounts: Readonly<Record<string, number>>, version: number) =>
  withTx(test.db, (tx) =>
    savePayrollDraft(
      tx,
      services,
      { actor: admin },
      {
        id,
        version,
        people: Object.entries(amounts).map(([person, minor]) => ({
          id: person,
          amount: usd(minor),
        })),
      },
    ),
  );
const preview = (id: string, by = admin) =>
  previewPayrollDraft(test.db, services, { id, readerId: by.id });
const send = (id: string, { hash, alreadyPaid }: PayrollPreview, by = admin, at = services) =>
  withTx(test.db, (tx) =>
    sendPayrollDraft(
      tx,
      at,
      { actor: by },
      { id, previewHash: hash, alreadyPaidHash: alreadyPaid?.hash },
    ),
  );
const acknowledge = ({ hash }: PayrollPreview, group: PayrollDifference, by = admin) =>
  withTx(test.db, (tx) =>
    acknowledgeDifference(tx, services, { actor: by }, { hash, group, isAcknowledged: true }),
  );
async function sent(id: string, at = services): Promise<string> {
  const reviewed = await previewPayrollDraft(test.db, at, { id, readerId: admin.id });
  await withTx(test.db, (tx) => acknowledgeAll(tx, at, { actor: admin }, reviewed));
  return (await send(id, reviewed, admin, at)).id;
}
const YESTERDAY = { clock: { now: () => new Date(Date.now() - 86_400_000) } };
async function paid(amounts: Readonly<Record<string, number>>, department?: Department) {
  const id = await sent(await draftOf(amounts, department), YESTERDAY);
  await postPayroll(test.db, services, id);
  return id;
}
const of = (...amounts: number[]) =>
  Object.fromEntries(
    amounts.flatMap((minor, index) => (minor === 0 ? [] : [[people[index] ?? '', minor]])),
  );
const groupsOf = ({ differences }: Pick<PayrollPreview, 'differences'>) =>
  differences?.groups.map(({ group, people: count, total }) => [group, count, total.minor]);

describe('the difference to the last payroll', () => {
  it('is none before the first payroll, and when everyone gets the same again', async () => {
    expect((await preview(await draftOf(of(100)))).differences).toBe(null);
    await paid(of(10_000, 20_000));
    expect((await preview(await draftOf(of(10_000, 20_000)))).differences).toBe(null);
  });

  it('adds up from the last total to this one, by new, gone, changed and smaller changes', async () => {
    await paid(of(10_000, 20_000, 30_000, 40_000));
    const { differences, total } = await preview(
      await draftOf(of(0, 20_100, 50_000, 40_000, 7_000)),
    );
    expect(groupsOf({ differences: differences ?? null })).toEqual([
      ['new', 1, '7000'],
      ['gone', 1, '-10000'],
      ['changed', 1, '20000'],
      ['total', 4, '17100'],
    ]);
    expect(differences).toMatchObject({
      percent: 20,
      smaller: { people: 1, total: usd(100) },
      last: { people: 4, total: usd(100_000) },
    });
    expect(total).toEqual(usd(117_100));
    expect(differences?.groups[2]?.rows).toMatchObject([
      { id: people[2], last: usd(30_000), amount: usd(50_000), reason: null },
    ]);
  });

  it.each([
    [12_000, 20, 'total'],
    [12_001, 20, 'changed'],
    [8_000, 20, 'total'],
    [7_999, 20, 'changed'],
    [10_001, 0, 'changed'],
    [20_000, 100, 'total'],
    [20_001, 100, 'changed'],
  ])('from 10000 to %i at %i percent begins with %s', async (minor, percent, first) => {
    await paid(of(10_000));
    await sql`UPDATE company_settings SET payroll_change_percent = ${percent}`.execute(test.db);
    const { differences } = await preview(await draftOf(of(minor)));
    expect(differences?.groups[0]?.group).toBe(first);
  });

  it('shows the people of smaller changes on request', async () => {
    await paid(of(10_000, 20_000, 30_000));
    const draft = await draftOf(of(10_500, 20_000, 60_000));
    const page = { of: { draft }, group: 'smaller', after: 0 } as const;
    expect(await listDifferences(test.db, services, page)).toMatchObject({
      rows: [{ id: people[0], last: usd(10_000), amount: usd(10_500) }],
      next: null,
    });
  });

  it('says why somebody is gone whom the draft names', async () => {
    await paid(of(10_000, 20_000));
    await sql`UPDATE app_user SET deactivated_at = now() WHERE id = ${people[0]}`.execute(test.db);
    const { differences } = await preview(await draftOf(of(10_000, 20_000)));
    expect(differences?.groups[0]).toMatchObject({
      group: 'gone',
      rows: [{ id: people[0], amount: null, reason: 'employee_inactive' }],
    });
  });

  it('misses nobody of another department', async () => {
    const [seller = ''] = await seed(1, 'sales');
    await paid({ ...of(10_000, 20_000), [seller]: 30_000 });
    const { differences } = await preview(await draftOf(of(10_000), 'engineering'));
    expect(differences?.groups[0]).toMatchObject({ group: 'gone', rows: [{ id: people[1] }] });
    expect(differences?.last).toEqual({ people: 2, total: usd(30_000) });
  });

  it('shows a hundred people of a group, and the others page by page', async () => {
    await paid(of(10_000));
    const many = await seed(101);
    const draft = await draftOf({
      ...of(10_000),
      ...Object.fromEntries(many.map((id) => [id, 500])),
    });
    const { differences } = await preview(draft);
    expect(differences?.groups[0]).toMatchObject({ group: 'new', people: 101, total: usd(50_500) });
    const first = differences?.groups[0]?.rows ?? [];
    expect(first).toHaveLength(100);
    const page = (after: number) =>
      listDifferences(test.db, services, { of: { draft }, group: 'new', after });
    expect(await page(0)).toEqual({ rows: first, next: 100 });
    const rest = await page(100);
    expect(rest).toMatchObject({ rows: [{ amount: usd(500) }], next: null });
    expect(new Set([...first, ...rest.rows].map(({ id }) => id))).toEqual(new Set(many));
  });
});

describe('sending', () => {
  it('is refused until its sender acknowledged each group, and says which are left', async () => {
    await paid(of(10_000, 20_000));
    const id = await draftOf(of(10_000, 0, 30_000));
    const reviewed = await preview(id);
    const refused = (groups: string) =>
      expect(send(id, reviewed)).rejects.toMatchObject({
        code: 'differences_not_acknowledged',
        details: { groups },
      });
    await refused('new people, people who are gone, the total');
    await acknowledge(reviewed, 'new');
    await acknowledge(reviewed, 'total');
    // Another administrator’s does not count for the sender.
    const theo = await seedAdmin(test.db, 'Theo Marchetti');
    await acknowledge(reviewed, 'gone', theo);
    await refused('people who are gone');
    await acknowledge(reviewed, 'gone');
    const batch = await send(id, reviewed);
    const { details } = await test.db
      .selectFrom('auditEvent')
      .select('details')
      .where('subjectId', '=', batch.id)
      .where('action', '=', 'payroll.sent')
      .executeTakeFirstOrThrow();
    expect(details).toMatchObject({
      previewHash: reviewed.hash,
      acknowledged: [
        expect.stringMatching(/^new \d{4}-/),
        expect.stringMatching(/^gone \d{4}-/),
        expect.stringMatching(/^total \d{4}-/),
      ],
    });
  });

  it('takes an acknowledgement back', async () => {
    await paid(of(10_000));
    const id = await draftOf(of(11_000));
    const reviewed = await preview(id);
    expect(await acknowledge(reviewed, 'total')).toMatchObject({
      acknowledged: [{ isMine: true }],
    });
    await withTx(test.db, (tx) =>
      acknowledgeDifference(
        tx,
        services,
        { actor: admin },
        { hash: reviewed.hash, group: 'total', isAcknowledged: false },
      ),
    );
    await expect(send(id, reviewed)).rejects.toMatchObject({
      code: 'differences_not_acknowledged',
    });
  });

  it.each<[string, (draft: string) => Promise<unknown>]>([
    ['an amount', (draft) => change(draft, of(11_001), 2)],
    [
      'the percent',
      () => sql`UPDATE company_settings SET payroll_change_percent = 5`.execute(test.db),
    ],
    ['the last payroll', () => takeBack(100)],
  ])(
    'is refused after a change of %s, and nothing is acknowledged then',
    async (_what, changes) => {
      await paid(of(10_000));
      const id = await draftOf(of(11_000));
      const reviewed = await preview(id);
      await acknowledge(reviewed, 'total');
      await changes(id);
      await expect(send(id, reviewed)).rejects.toMatchObject({ code: 'preview_stale' });
      const again = await preview(id);
      expect(again.differences?.groups.map(({ acknowledged }) => acknowledged)).not.toContainEqual([
        expect.anything(),
      ]);
      await expect(send(id, again)).rejects.toMatchObject({ code: 'differences_not_acknowledged' });
    },
  );
});

describe('a batch', () => {
  it('keeps the differences that its sender saw, with who acknowledged them', async () => {
    await paid(of(10_000, 20_000));
    const id = await draftOf(of(15_000, 0, 5_000));
    const reviewed = await preview(id);
    const batchId = await sent(id);
    await takeBack(2_000);
    await sql`UPDATE company_settings SET payroll_change_percent = 90`.execute(test.db);
    const theo = await seedAdmin(test.db, 'Theo Marchetti');
    const { hash, differences } = await getDifferences(test.db, services, batchId, theo.id);
    expect(hash).toBe(reviewed.hash);
    expect(differences).toEqual({
      ...reviewed.differences,
      groups: reviewed.differences?.groups.map((group) => ({
        ...group,
        acknowledged: [{ by: admin.name, at: expect.any(String), isMine: false }],
      })),
    });
  });

  it('is empty for the first payroll', async () => {
    const batchId = await paid(of(10_000));
    expect((await getDifferences(test.db, services, batchId, admin.id)).differences).toBe(null);
  });
});

/** Takes a part of the oldest paid line back. */
async function takeBack(minor: number): Promise<void> {
  const theo = await seedAdmin(test.db, 'Theo Marchetti');
  const line = await test.db
    .selectFrom('payrollLine')
    .select(['id', 'amountMinor'])
    .where('userId', '=', people[0] ?? '')
    .where('status', '=', 'processed')
    .executeTakeFirstOrThrow();
  const why = { reason: 'wrong_amount', message: 'Too much' } as const;
  const left = money(line.amountMinor, 'USD');
  await withTx(test.db, (tx) =>
    reverseLine(tx, services, { actor: theo }, { id: line.id, amount: usd(minor), left, ...why }),
  );
}

describe('a rehearsal of a draft', () => {
  const COLUMNS = [
    'Outcome',
    'Amount',
    'Last payroll',
    'Change',
    'Difference',
    'Payslip year to date',
  ];
  async function rehearse(id: string, on?: string) {
    const file = await rehearseDraft(test.db, services, { id, on });
    let text = '';
    for await (const chunk of file.chunks) text += chunk;
    const [header = '', ...lines] = text.trim().split('\r\n');
    const places = COLUMNS.map((column) => header.split(',').indexOf(column));
    expect(file.rows()).toBe(lines.length);
    return lines
      .map((line) => places.map((place) => line.split(',')[place]).join(' | '))
      .toSorted();
  }
  const countPostings = async () => {
    const { count } = await test.db
      .selectFrom('ledgerTransaction')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  };

  it('has every line, difference and payslip as they would be, and posts nothing', async () => {
    await paid(of(10_000, 20_000, 30_000));
    const id = await draftOf(of(10_000, 25_000, 0, 4_000));
    const before = await countPostings();
    const year = new Date().getFullYear();
    expect(await rehearse(id)).toEqual([
      'not in this payroll |  | 300.00 | -300.00 | gone | ',
      'paid | 100.00 | 100.00 | 0.00 | same | 200.00',
      'paid | 250.00 | 200.00 | 50.00 | changed | 450.00',
      'paid | 40.00 |  | 40.00 | new | 40.00',
    ]);
    expect(await rehearse(id, `${year + 1}-06-15`)).toContain(
      'paid | 250.00 | 200.00 | 50.00 | changed | 250.00',
    );
    await expect(rehearse(id, '2020-01-01')).rejects.toMatchObject({ code: 'pay_date_past' });
    expect(await countPostings()).toBe(before);
    expect((await preview(id)).total).toEqual(usd(39_000));
  });

  it('ends with an error when the draft changes while it is written', async () => {
    const id = await draftOf(of(10_000, 20_000, 30_000));
    const { chunks } = await rehearseDraft(test.db, services, { id }, { chunkRows: 1 });
    const rest = chunks[Symbol.asyncIterator]();
    await rest.next();
    expect((await rest.next()).done).toBe(false);
    await change(id, { [people[2] ?? '']: 1 }, 2);
    await expect(rest.next()).rejects.toMatchObject({ code: 'preview_stale' });
  });
});
