import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RouteArguments } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { SeededEmployee } from '#test/factories/payroll.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import {
  accountForPayroll,
  acknowledgeAll,
  draftOwnAmounts,
  expectDraftSums,
  OWN_AMOUNTS,
  payrollFindings,
  sendDraftAsSeen,
} from '#test/payroll-fixture.ts';
import { payrollActs } from '../batch.ts';
import { postPayroll } from '../index.ts';
import { getPayrollBatch } from '../queries.ts';
import { createPayrollDraft } from './create-draft.ts';
import { payrollDraftActs } from './draft.ts';
import { payrollDrafts } from './draft-list.ts';
import { listDraftPeople } from './people.ts';
import { getPayrollDraft } from './rows.ts';
import { savePayrollDraft } from './save-draft.ts';
import { previewPayrollDraft, sendPayrollDraft } from './send-draft.ts';

const services = { clock: systemClock };
const usd = (minor: number) => money(BigInt(minor), 'USD');

let test: TestDb;
let admin: Actor;
let people: SeededEmployee[];

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
afterEach(() => expectDraftSums(test.db));
beforeEach(async () => {
  await retireEverybody(test.db);
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, separate_payroll_minor = NULL,
              payroll_line_limit_minor = 1000000`.execute(test.db);
  admin = await seedAdmin(test.db);
  people = await seedEmployees(test.db, { count: 3 });
});

const create = (body: Partial<typeof OWN_AMOUNTS> = {}) =>
  withTx(test.db, (tx) =>
    createPayrollDraft(tx, services, { actor: admin }, { ...OWN_AMOUNTS, ...body }),
  );
type Save = Omit<RouteArguments<'adminSavePayrollDraft'>['body'], 'version'>;
const save = (draft: { id: string; version: number }, body: Save, by = admin) =>
  withTx(test.db, (tx) => savePayrollDraft(tx, services, { actor: by }, { ...draft, ...body }));
const preview = (id: string) => previewPayrollDraft(test.db, services, { id, readerId: admin.id });
const send = (id: string) => sendDraftAsSeen(test.db, admin, id);
async function sheet(id: string) {
  const { people: items } = await listDraftPeople(test.db, services, { id });
  return items;
}
const idOf = (index: number) => people[index]?.id ?? '';
/** A draft that pays 100.00, 200.01 and 300.02 to the three people. */
const withAmounts = () =>
  draftOwnAmounts(
    test.db,
    admin,
    new Map([
      [idOf(0), 10_000n],
      [idOf(1), 20_001n],
      [idOf(2), 30_002n],
    ]),
  );
async function paidTo(batchId: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ userId: string; amountMinor: bigint }>`
    SELECT user_id, amount_minor FROM payroll_line
     WHERE batch_id = ${batchId} AND status = 'processed'`.execute(test.db);
  return new Map(rows.map(({ userId, amountMinor }) => [userId, amountMinor]));
}

describe('a payroll with each person’s own amount', () => {
  it('pays everyone theirs, and the books are sound', async () => {
    const draft = await withAmounts();
    expect(draft).toMatchObject({ employees: 3, total: usd(60_003), version: 2 });
    expect(await preview(draft.id)).toMatchObject({ payableCount: 3, total: usd(60_003) });
    const batch = await send(draft.id);
    expect(batch).toMatchObject({ amount: null, total: usd(60_003), employees: 3 });
    await postPayroll(test.db, services, batch.id, { chunkLines: 2 });
    expect(await paidTo(batch.id)).toEqual(
      new Map([
        [idOf(0), 10_000n],
        [idOf(1), 20_001n],
        [idOf(2), 30_002n],
      ]),
    );
    expect(await accountForPayroll(test.db, batch.id)).toMatchObject({
      paidLines: 3,
      losses: 0,
      doubles: 0,
      movedMinor: 60_003n,
      batchPaidMinor: 60_003n,
    });
    expect(await payrollFindings(test.db)).toEqual([]);
  });

  it('leaves out who has no amount, and skips who cannot be paid with the reason', async () => {
    const [leaver] = await seedEmployees(test.db, { count: 1, walletType: null });
    const draft = await save(await create(), {
      people: [
        { id: idOf(0), amount: usd(10_000) },
        { id: idOf(1), amount: null },
        { id: leaver?.id ?? '', amount: usd(5_000) },
      ],
    });
    expect(await preview(draft.id)).toMatchObject({
      payableCount: 1,
      skippedCount: 1,
      total: usd(10_000),
      skipped: [{ reason: 'no_wallet' }],
    });
  });

  it('skips people who moved to another department meanwhile', async () => {
    const draft = await save(await create({ department: 'engineering' }), {
      people: [
        { id: idOf(0), amount: usd(10_000) },
        { id: idOf(1), amount: usd(20_000) },
      ],
    });
    await sql`UPDATE app_user SET department = 'sales' WHERE id = ${idOf(1)}`.execute(test.db);
    expect(await preview(draft.id)).toMatchObject({
      payableCount: 1,
      skipped: [{ employee: { id: idOf(1) }, reason: 'other_department' }],
    });
  });

  it('is refused when an amount changed since the preview', async () => {
    const draft = await withAmounts();
    const { hash } = await preview(draft.id);
    await save(draft, { people: [{ id: idOf(0), amount: usd(10_001) }] });
    const sent = withTx(test.db, (tx) =>
      sendPayrollDraft(tx, services, { actor: admin }, { id: draft.id, previewHash: hash }),
    );
    await expect(sent).rejects.toMatchObject({ code: 'preview_stale' });
  });

  it('is sent by one of two administrators', async () => {
    const draft = await withAmounts();
    const other = await seedAdmin(test.db);
    const reviewed = await preview(draft.id);
    const sendBy = (actor: Actor) =>
      withTx(test.db, async (tx) => {
        await acknowledgeAll(tx, services, { actor }, reviewed);
        const seen = { previewHash: reviewed.hash };
        return sendPayrollDraft(tx, services, { actor }, { id: draft.id, ...seen });
      });
    expectOneWins(
      await Promise.allSettled([sendBy(admin), sendBy(other)]),
      'payroll_draft_not_open',
    );
    expect(await sheetStatus(draft.id)).toBe('sent');
  });
});

const sheetStatus = async (id: string) =>
  (await getPayrollDraft(test.db, await readSettings(test.db), id)).status;

describe('a draft', () => {
  it('is refused when another person saved it meanwhile, and keeps what they saved', async () => {
    const draft = await create();
    const other = await seedAdmin(test.db, 'Theo Marchetti');
    await save(draft, { people: [{ id: idOf(0), amount: usd(100) }] }, other);
    await expect(
      save(draft, { people: [{ id: idOf(0), amount: usd(200) }] }),
    ).rejects.toMatchObject({
      code: 'payroll_draft_changed',
      details: { who: 'Theo Marchetti', amounts: 1 },
    });
    expect((await sheet(draft.id)).find(({ id }) => id === idOf(0))?.amount).toEqual(usd(100));
  });

  it('starts from the last payroll, and says what it paid', async () => {
    const first = await send((await withAmounts()).id);
    await postPayroll(test.db, services, first.id);
    // Without a schedule what was sent on the same day is no last payroll.
    expect(await create({ startFrom: 'last' })).toMatchObject({ employees: 0 });
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const draft = await create({ startFrom: 'last', payOn: tomorrow });
    expect(draft).toMatchObject({ employees: 3, total: usd(60_003), startedFrom: 'last' });
    expect((await sheet(draft.id)).map(({ last, amount }) => [last, amount])).toEqual(
      expect.arrayContaining([[usd(20_001), usd(20_001)]]),
    );
  });

  it('pays chosen people the same amount', async () => {
    const draft = await create({
      department: 'chosen',
      hasOwnAmounts: false,
      amount: usd(5_000),
      people: [idOf(0), idOf(2)],
    });
    expect(draft).toMatchObject({ employees: 2, total: usd(10_000) });
    const batch = await send(draft.id);
    await postPayroll(test.db, services, batch.id);
    expect([...(await paidTo(batch.id)).keys()].toSorted()).toEqual([idOf(0), idOf(2)].toSorted());
    const again = await create({
      department: 'chosen',
      hasOwnAmounts: false,
      amount: usd(7_000),
      copyOf: { batch: batch.id },
    });
    expect(again).toMatchObject({ employees: 2, total: usd(14_000) });
    expect(await preview(again.id)).toMatchObject({ payableCount: 2, total: usd(14_000) });
  });

  it('begins with an amount for each of the chosen people, which stay their own', async () => {
    const draft = await create({
      department: 'chosen',
      hasOwnAmounts: true,
      amount: usd(5_000),
      people: [idOf(0), idOf(2)],
    });
    expect(draft).toMatchObject({ employees: 2, total: usd(10_000), amount: null });
    const saved = await save(draft, { people: [{ id: idOf(2), amount: usd(1) }] });
    expect(saved.total).toEqual(usd(5_001));
  });

  it('is copied with its amounts, and so is a payroll that was sent', async () => {
    const draft = await withAmounts();
    expect(await create({ copyOf: { draft: draft.id } })).toMatchObject({ total: usd(60_003) });
    const batch = await send(draft.id);
    expect(await create({ copyOf: { batch: batch.id } })).toMatchObject({ total: usd(60_003) });
  });

  it('has a note, which its payroll shows to who approves it', async () => {
    const draft = await save(await withAmounts(), { note: 'Ada is new' });
    expect(draft.note).toBe('Ada is new');
    const batch = await send(draft.id);
    expect(batch.note).toBe('Ada is new');
    expect(await getPayrollBatch(test.db, batch.id, admin.id)).toMatchObject({
      note: 'Ada is new',
    });
  });

  it('is discarded, and cannot be sent or saved then', async () => {
    const draft = await withAmounts();
    await withTx(test.db, (tx) =>
      payrollDraftActs.discard(tx, services, { actor: admin }, { id: draft.id }),
    );
    await expect(preview(draft.id)).rejects.toMatchObject({ code: 'payroll_draft_not_open' });
    await expect(save(draft, { note: 'More' })).rejects.toMatchObject({
      code: 'payroll_draft_not_open',
    });
    const listed = await payrollDrafts.page(
      test.db,
      { page: 1, pageSize: 100 },
      await readSettings(test.db),
    );
    expect(listed.items.map(({ id }) => id)).not.toContain(draft.id);
  });

  it.each([randomUUID(), null])(
    'is not made of somebody who does not work here: %s',
    async (unknown) => {
      const chosen = [idOf(0), unknown ?? admin.id];
      await expect(create({ department: 'chosen', people: chosen })).rejects.toMatchObject({
        code: 'person_not_found',
      });
    },
  );

  it('fills in amounts only where each person has their own', async () => {
    const same = { hasOwnAmounts: false, amount: usd(5_000) };
    const code = 'payroll_draft_same_amount';
    await expect(create({ ...same, startFrom: 'last' })).rejects.toMatchObject({ code });
    const draft = await create(same);
    await expect(save(draft, { startFrom: 'usual' })).rejects.toMatchObject({ code });
    await expect(save(await create(), { ...same, startFrom: 'usual' })).rejects.toMatchObject({
      code,
    });
    expect(await save(draft, { hasOwnAmounts: true, startFrom: 'usual' })).toMatchObject({
      version: 2,
      startedFrom: 'usual',
      amount: null,
    });
  });

  it('names nobody with the same amount for a department, also as a copy', async () => {
    const same = { hasOwnAmounts: false, amount: usd(5_000) };
    const batch = await send((await create(same)).id);
    const copy = await create({ ...same, copyOf: { batch: batch.id } });
    expect(await sheet(copy.id)).toEqual(await sheet((await create(same)).id));
    expect((await sheet(copy.id)).every(({ amount }) => amount === null)).toBe(true);
    const own = await create({ copyOf: { batch: batch.id } });
    expect(own).toMatchObject({ employees: 3, total: usd(15_000) });
  });

  it('cannot be previewed while something is missing', async () => {
    const draft = await create({ description: '' });
    await expect(preview(draft.id)).rejects.toMatchObject({
      code: 'payroll_draft_unfinished',
      details: { what: 'a description' },
    });
  });
});

describe('a payroll that was stopped', () => {
  it('is a draft again, with the same people and amounts', async () => {
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 60`.execute(test.db);
    const batch = await send((await withAmounts()).id);
    await withTx(test.db, (tx) =>
      payrollActs.stop(tx, services, { actor: admin }, { id: batch.id }),
    );
    const { items } = await payrollDrafts.page(
      test.db,
      { page: 1, pageSize: 100 },
      await readSettings(test.db),
    );
    const draft = items.find(({ fromBatch }) => fromBatch?.id === batch.id);
    expect(draft).toMatchObject({
      total: usd(60_003),
      hasOwnAmounts: true,
      fromBatch: { was: 'stopped', by: admin.name },
    });
    const again = await send(draft?.id ?? '');
    expect(again.number).not.toBe(batch.number);
    await postPayroll(test.db, { clock: { now: () => new Date(Date.now() + 61_000) } }, again.id);
    expect((await paidTo(again.id)).size).toBe(3);
    expect(await payrollFindings(test.db)).toEqual([]);
  });
});
