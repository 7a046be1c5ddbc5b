import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayrollBatch } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import {
  accountForPayroll,
  confirmPayroll,
  draftOwnAmounts,
  acknowledgeAll,
} from '#test/payroll-fixture.ts';
import { payrollActs } from './batch.ts';
import { previewPayrollDraft, sendPayrollDraft } from './drafts/send-draft.ts';
import { nextPayday, postPayroll } from './index.ts';
import { getPayrollBatch } from './queries.ts';

const PEOPLE = 2;

let test: TestDb;
let admin: Actor;
let people: string[];
let userId: string;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  admin = await seedAdmin(test.db);
  people = (await seedEmployees(test.db, { count: PEOPLE })).map(({ id }) => id);
  [userId = ''] = people;
  await company({ timeZone: 'est', cancelSeconds: 60, separateMinor: null });
});

function company(settings: {
  timeZone: string;
  cancelSeconds: number;
  separateMinor: number | null;
}): Promise<unknown> {
  return sql`UPDATE company_settings
    SET time_zone = ${settings.timeZone}, payroll_cancel_seconds = ${settings.cancelSeconds},
        separate_payroll_minor = ${settings.separateMinor}`.execute(test.db);
}

const at = (iso: string) => ({ clock: { now: () => new Date(iso) } });
/** Sends a draft of own amounts, by the preview of before `onPreview`. */
async function sendOwn({
  payOn,
  onPreview,
}: {
  payOn: string;
  onPreview?: () => Promise<void>;
}): Promise<PayrollBatch> {
  const services = at('2026-12-08T14:00:00Z');
  const amounts = new Map(people.map((id, index) => [id, 10_001n + BigInt(index)]));
  const { id } = await draftOwnAmounts(test.db, admin, amounts, { ...services, payOn });
  const preview = await previewPayrollDraft(test.db, services, { id, readerId: admin.id });
  await onPreview?.();
  return withTx(test.db, async (tx) => {
    await acknowledgeAll(tx, services, { actor: admin }, preview);
    return sendPayrollDraft(tx, services, { actor: admin }, { id, previewHash: preview.hash });
  });
}
const paidLines = async (id: string) => (await accountForPayroll(test.db, id)).paidLines;

describe('a payroll with a pay date', () => {
  it('is named after that day and pays from six in the morning of it, in the company’s time zone', async () => {
    const id = await confirmPayroll(test.db, admin, {
      ...at('2026-12-08T14:00:00Z'),
      payOn: '2026-12-11',
    });
    expect(await getPayrollBatch(test.db, id, admin.id)).toMatchObject({
      name: 'Salary Wallet - 12/11/2026',
      payOn: '2026-12-11',
      status: 'pending',
    });
    await postPayroll(test.db, at('2026-12-11T10:59:59Z'), id);
    expect(await paidLines(id)).toBe(0);
    await postPayroll(test.db, at('2026-12-11T11:00:00Z'), id);
    expect(await paidLines(id)).toBe(PEOPLE);
  });

  it.each([
    // The days around which clocks change, and those days.
    ['est', '2027-03-12', '2027-03-12T11:00:00Z'],
    ['est', '2027-03-15', '2027-03-15T10:00:00Z'],
    ['est', '2027-11-08', '2027-11-08T11:00:00Z'],
    ['est', '2027-03-14', '2027-03-14T10:00:00Z'],
    ['cst', '2027-03-14', '2027-03-14T11:00:00Z'],
    ['mst', '2027-03-14', '2027-03-14T12:00:00Z'],
    ['pst', '2027-03-14', '2027-03-14T13:00:00Z'],
    ['est', '2027-11-07', '2027-11-07T11:00:00Z'],
    ['cst', '2027-11-07', '2027-11-07T12:00:00Z'],
    ['mst', '2027-11-07', '2027-11-07T13:00:00Z'],
    ['pst', '2027-11-07', '2027-11-07T14:00:00Z'],
    // Clocks in Europe change later in spring, and earlier in autumn.
    ['london', '2027-03-26', '2027-03-26T06:00:00Z'],
    ['london', '2027-03-28', '2027-03-28T05:00:00Z'],
    ['london', '2027-10-31', '2027-10-31T06:00:00Z'],
    ['berlin', '2027-03-26', '2027-03-26T05:00:00Z'],
    ['berlin', '2027-03-28', '2027-03-28T04:00:00Z'],
    ['berlin', '2027-10-29', '2027-10-29T04:00:00Z'],
    ['berlin', '2027-10-31', '2027-10-31T05:00:00Z'],
    ['athens', '2027-03-28', '2027-03-28T03:00:00Z'],
    ['athens', '2027-10-31', '2027-10-31T04:00:00Z'],
    // The last of a year, and a leap day.
    ['est', '2027-12-31', '2027-12-31T11:00:00Z'],
    ['pst', '2028-02-29', '2028-02-29T14:00:00Z'],
    ['berlin', '2028-02-29', '2028-02-29T05:00:00Z'],
  ])('of own amounts pays at six in the morning: %s, %s', async (timeZone, payOn, from) => {
    await company({ timeZone, cancelSeconds: 60, separateMinor: null });
    const { id, name } = await sendOwn({ payOn });
    const [year, month, day] = payOn.split('-').map(Number);
    expect(name).toBe(`Salary Wallet - ${month}/${day}/${year}`);
    await postPayroll(test.db, at(new Date(Date.parse(from) - 1).toISOString()), id);
    expect(await paidLines(id)).toBe(0);
    await postPayroll(test.db, at(from), id);
    expect(await paidLines(id)).toBe(PEOPLE);
  });

  it.each([
    ['before it is sent', '2026-12-11T14:00:00Z'],
    ['before the approval', '2026-12-11T14:00:00Z'],
    ['before the pay date', '2026-12-11T11:00:00Z'],
  ])('of own amounts is paid by the time zone of its approval: moved %s', async (when, from) => {
    const move = async (now: string) => {
      if (now === when) await company({ timeZone: 'pst', cancelSeconds: 60, separateMinor: 1 });
    };
    await company({ timeZone: 'est', cancelSeconds: 60, separateMinor: 1 });
    const second = await seedAdmin(test.db, 'Theo Marchetti');
    const { id } = await sendOwn({
      payOn: '2026-12-11',
      onPreview: () => move('before it is sent'),
    });
    await move('before the approval');
    await withTx(test.db, (tx) =>
      payrollActs.approve(tx, at('2026-12-09T14:00:00Z'), { actor: second }, { id }),
    );
    await move('before the pay date');
    await postPayroll(test.db, at(new Date(Date.parse(from) - 1).toISOString()), id);
    expect(await paidLines(id)).toBe(0);
    await postPayroll(test.db, at(from), id);
    expect(await paidLines(id)).toBe(PEOPLE);
  });

  it('pays today when it can no longer be stopped', async () => {
    const id = await confirmPayroll(test.db, admin, {
      ...at('2026-12-11T15:00:00Z'),
      payOn: '2026-12-11',
    });
    await postPayroll(test.db, at('2026-12-11T15:00:59Z'), id);
    expect(await paidLines(id)).toBe(0);
    await postPayroll(test.db, at('2026-12-11T15:01:00Z'), id);
    expect(await paidLines(id)).toBe(PEOPLE);
  });

  it('is the payday of those it paid, however early it was sent', async () => {
    const schedule = payrollSchedule({ frequency: 'weekly' });
    const by = { actor: 'system' } as const;
    await withTx(test.db, (tx) => updateSettings(tx, at('2026-11-02T14:00:00Z'), by, { schedule }));
    const id = await confirmPayroll(test.db, admin, {
      ...at('2026-11-02T14:00:00Z'),
      payOn: '2026-12-11',
    });
    const next = async (now: string) =>
      nextPayday(test.db, await readSettings(test.db), { userId, now: new Date(now) });
    expect(await next('2026-12-08T14:00:00Z')).toBe('2026-12-11');
    await postPayroll(test.db, at('2026-12-11T11:00:00Z'), id);
    expect(await next('2026-12-11T14:00:00Z')).toBe('2026-12-18');
    await withTx(test.db, (tx) =>
      updateSettings(tx, at('2026-12-11T14:00:00Z'), by, { schedule: null }),
    );
  });

  it('is refused when the day is over', async () => {
    const sent = confirmPayroll(test.db, admin, {
      ...at('2026-12-12T05:00:00Z'),
      payOn: '2026-12-11',
    });
    await expect(sent).rejects.toMatchObject({ code: 'pay_date_past' });
  });

  it('ends as a draft by the time zone that the company has when it is previewed', async () => {
    const sentAt = at('2026-12-11T14:00:00Z');
    const order = { ...sentAt, payOn: '2026-12-11' };
    const { id } = await draftOwnAmounts(test.db, admin, new Map([[userId, 1n]]), order);
    // Half past midnight in New York is the evening before in Los Angeles.
    const preview = () =>
      previewPayrollDraft(test.db, at('2026-12-12T05:30:00Z'), { id, readerId: admin.id });
    await expect(preview()).rejects.toMatchObject({ code: 'pay_date_past' });
    await company({ timeZone: 'pst', cancelSeconds: 60, separateMinor: null });
    expect(await preview()).toMatchObject({ batchName: 'Salary Wallet - 12/11/2026' });
  });

  it('can be stopped until that day', async () => {
    const id = await confirmPayroll(test.db, admin, {
      ...at('2026-12-08T14:00:00Z'),
      payOn: '2026-12-11',
    });
    await withTx(test.db, (tx) =>
      payrollActs.stop(tx, at('2026-12-11T10:59:00Z'), { actor: admin }, { id }),
    );
    await postPayroll(test.db, at('2026-12-11T11:00:00Z'), id);
    expect(await paidLines(id)).toBe(0);
  });

  it('waits for its day after it is approved, and for the approval after its day', async () => {
    await company({ timeZone: 'est', cancelSeconds: 60, separateMinor: 1 });
    const second = await seedAdmin(test.db, 'Theo Marchetti');
    const send = () =>
      confirmPayroll(test.db, admin, { ...at('2026-12-08T14:00:00Z'), payOn: '2026-12-11' });
    const approve = (id: string, iso: string) =>
      withTx(test.db, (tx) => payrollActs.approve(tx, at(iso), { actor: second }, { id }));
    const early = await send();
    await approve(early, '2026-12-09T14:00:00Z');
    await postPayroll(test.db, at('2026-12-11T10:59:59Z'), early);
    expect(await paidLines(early)).toBe(0);
    await postPayroll(test.db, at('2026-12-11T11:00:00Z'), early);
    expect(await paidLines(early)).toBe(PEOPLE);
    const late = await send();
    await postPayroll(test.db, at('2026-12-12T14:00:00Z'), late);
    expect(await paidLines(late)).toBe(0);
    await approve(late, '2026-12-12T14:00:00Z');
    await postPayroll(test.db, at('2026-12-12T14:01:00Z'), late);
    expect(await paidLines(late)).toBe(PEOPLE);
  });

  it('is paid on that day when the company moves to another time zone', async () => {
    const id = await confirmPayroll(test.db, admin, {
      ...at('2026-12-08T14:00:00Z'),
      payOn: '2026-12-11',
    });
    await company({ timeZone: 'pst', cancelSeconds: 60, separateMinor: null });
    await postPayroll(test.db, at('2026-12-11T10:59:59Z'), id);
    expect(await paidLines(id)).toBe(0);
    // Six in New York is three in Los Angeles, on the same day.
    await postPayroll(test.db, at('2026-12-11T11:00:00Z'), id);
    expect(await paidLines(id)).toBe(PEOPLE);
  });
});
