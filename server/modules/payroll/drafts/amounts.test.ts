import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RouteArguments } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { draftOwnAmounts, OWN_AMOUNTS, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { createPayrollDraft } from './create-draft.ts';
import { savePayrollDraft } from './save-draft.ts';
import { previewPayrollDraft, sendPayrollDraft } from './send-draft.ts';

const AMOUNTS = [10_000n, 20_001n, 30_002n];
const services = { clock: systemClock };

let test: TestDb;
let sender: Actor;
let people: string[];

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  await retireEverybody(test.db);
  await company({ separateMinor: null });
  sender = await seedAdmin(test.db);
  await seedAdmin(test.db, 'Theo Marchetti');
  people = (await seedEmployees(test.db, { count: 3 })).map(({ id }) => id);
});

const company = ({ separateMinor }: { separateMinor: bigint | null }) =>
  sql`UPDATE company_settings SET payroll_line_limit_minor = 1000000,
        payroll_batch_limit_minor = 100000000, separate_payroll_minor = ${separateMinor}`.execute(
    test.db,
  );
const idOf = (index: number) => people[index] ?? '';
const makeDraft = (amounts = AMOUNTS) => {
  const own = new Map(amounts.map((minor, index) => [idOf(index), minor]));
  return draftOwnAmounts(test.db, sender, own);
};
const create = ({ db }: TestDb, body: Partial<typeof OWN_AMOUNTS>) =>
  withTx(db, (tx) =>
    createPayrollDraft(tx, services, { actor: sender }, { ...OWN_AMOUNTS, ...body }),
  );
type Save = Omit<RouteArguments<'adminSavePayrollDraft'>['body'], 'version'>;
const save = ({ db }: TestDb, { id, version }: { id: string; version: number }, body: Save) =>
  withTx(db, (tx) => savePayrollDraft(tx, services, { actor: sender }, { id, version, ...body }));
const preview = (id: string) => previewPayrollDraft(test.db, services, { id, readerId: sender.id });
const send = (id: string, by = sender) => sendDraftAsSeen(test.db, by, id);
const sendSeen = (id: string, previewHash: string) =>
  withTx(test.db, (tx) => sendPayrollDraft(tx, services, { actor: sender }, { id, previewHash }));

describe('own amounts, a cent around', () => {
  const limit = (column: 'line' | 'batch', minor: bigint) =>
    test.db
      .updateTable('companySettings')
      .set({ [column === 'line' ? 'payrollLineLimitMinor' : 'payrollBatchLimitMinor']: minor })
      .execute();
  /** Sums sent alone are counted for the whole company. */
  const newMonth = () => test.db.deleteFrom('amountUsed').execute();

  it.each([
    ['line', 30_002n, null],
    ['line', 30_001n, 'payroll_line_limit'],
    ['batch', 60_003n, null],
    ['batch', 60_002n, 'payroll_batch_limit'],
  ] as const)('the limit of a %s of %i: %s', async (column, minor, code) => {
    const { id } = await makeDraft();
    const { hash } = await preview(id);
    await limit(column, minor);
    const previewing = preview(id);
    const sending = sendSeen(id, hash);
    const [shown, sent] = await Promise.allSettled([previewing, sending]);
    if (code === null) expect(sent.status).toBe('fulfilled');
    else expect(sent).toMatchObject({ status: 'rejected', reason: { code } });
    expect(shown).toMatchObject({
      status: 'fulfilled',
      value: {
        limits: [
          {
            limit: 'person',
            takes: money(30_002n, 'USD'),
            isPassed: code === 'payroll_line_limit',
          },
          {
            limit: 'payroll',
            takes: money(60_003n, 'USD'),
            isPassed: code === 'payroll_batch_limit',
          },
        ],
      },
    });
  });

  it.each([
    [60_003n, null],
    [60_002n, 'api_key_daily_limit'],
  ])('the limit of a day of an API key of %i: %s', async (dailyLimitMinor, code) => {
    await company({ separateMinor: null });
    const apiKey = { id: randomUUID(), name: 'Payroll system', dailyLimitMinor };
    const { id } = await makeDraft();
    const sending = send(id, { ...sender, apiKey });
    if (code === null) expect(await sending).toMatchObject({ employees: 3 });
    else await expect(sending).rejects.toMatchObject({ code });
  });

  it.each([
    ['the first of a month', 60_004n, [], [false]],
    ['the first of a month', 60_003n, [], [true]],
    ['one after another by its sender', 70_000n, [9_996n], [false, false]],
    ['one after another by its sender', 70_000n, [9_997n], [false, true]],
  ])('the sum that takes two people, %s, of %i', async (_what, separateMinor, before, waits) => {
    await company({ separateMinor });
    await newMonth();
    const drafts = [...before.map((minor) => [minor]), AMOUNTS];
    const approvals = [];
    for (const amounts of drafts) {
      const { approval } = await send((await makeDraft(amounts)).id);
      approvals.push(approval !== null);
    }
    expect(approvals).toEqual(waits);
  });
});

describe('an amount in another currency', () => {
  const EURO = money(1n, 'EUR');
  const refused = { code: 'amount_invalid' };

  it('neither makes nor changes a draft', async () => {
    await expect(create(test, { hasOwnAmounts: false, amount: EURO })).rejects.toMatchObject(
      refused,
    );
    const chosen = { department: 'chosen' as const, people: [idOf(0)], amount: EURO };
    await expect(create(test, chosen)).rejects.toMatchObject(refused);
    const draft = await makeDraft();
    const same = { hasOwnAmounts: false, amount: EURO };
    await expect(save(test, draft, same)).rejects.toMatchObject(refused);
    const cells = { people: [{ id: idOf(0), amount: EURO }] };
    await expect(save(test, draft, cells)).rejects.toMatchObject(refused);
    expect(await save(test, draft, {})).toMatchObject({ version: 3, total: money(60_003n, 'USD') });
  });

  it('is not copied, filled in nor sent from a draft of before the company changed it', async () => {
    // A company in which nobody has an account yet.
    const other = await openTestDb();
    sender = await seedAdmin(other.db);
    const [person] = await seedEmployees(other.db, { count: 1, walletType: null });
    const id = person?.id ?? '';
    const draft = await draftOwnAmounts(other.db, sender, new Map([[id, 10_000n]]));
    await withTx(other.db, (tx) =>
      updateSettings(tx, services, { actor: 'system' }, { currency: 'EUR' }),
    );
    const copied = create(other, { copyOf: { draft: draft.id } });
    await expect(copied).rejects.toMatchObject(refused);
    await expect(save(other, draft, { startFrom: 'usual' })).rejects.toMatchObject(refused);
    const cells = { people: [{ id, amount: EURO }] };
    await expect(save(other, draft, cells)).rejects.toMatchObject(refused);
    const previewed = previewPayrollDraft(other.db, services, {
      id: draft.id,
      readerId: sender.id,
    });
    await expect(previewed).rejects.toMatchObject(refused);
    const saved = await save(other, draft, { note: 'Of before' });
    expect(saved).toMatchObject({ total: money(10_000n, 'USD') });
    await other.close();
  });
});
