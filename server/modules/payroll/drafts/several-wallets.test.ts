import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { SeededEmployee } from '#test/factories/payroll.ts';
import { createTestServices } from '#test/factories/services.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { openTestDb } from '#test/open-db.ts';
import { recoverySteps } from '#test/recovery-fixture.ts';
import { expectLocksInOrder } from '#test/start-and-block.ts';
import type { TestDb } from '#test/open-db.ts';
import {
  accountForPayroll,
  acknowledgeAll,
  draftOwnAmounts,
  payrollFindings,
  sendDraftAsSeen,
} from '#test/payroll-fixture.ts';
import { payrollActs } from '../batch.ts';
import { postPayroll } from '../index.ts';
import { getPayrollBatch } from '../queries.ts';
import { createPayrollDraft } from './create-draft.ts';
import { payrollDraftActs } from './draft.ts';
import { addDraftWallet } from './parts.ts';
import { rehearseDraft } from './rehearse-draft.ts';
import { getPayrollDraft, newestDrafts } from './rows.ts';
import { savePayrollDraft } from './save-draft.ts';
import { previewPayrollDraft, sendPayrollDraft } from './send-draft.ts';

const services = createTestServices();
const usd = (minor: number) => money(BigInt(minor), 'USD');

let test: TestDb;
let admin: Actor;
let other: Actor;
let people: SeededEmployee[];

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(async () => {
  services.clock.set('2026-12-11T15:00:00.000Z');
  await retireEverybody(test.db);
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, separate_payroll_minor = NULL,
              payroll_line_limit_minor = 1000000, payroll_batch_limit_minor = 100000000`.execute(
    test.db,
  );
  admin = await seedAdmin(test.db);
  other = await seedAdmin(test.db);
  people = await seedEmployees(test.db, { count: 3 });
  for (const index of [0, 1]) await open(index, 'savings');
  await open(0, 'irs');
});

const idOf = (index: number) => people[index]?.id ?? '';
const open = (index: number, type: WalletType) =>
  withTx(test.db, (tx) => openWallet(tx, services, { userId: idOf(index), type }));
const addWallet = (id: string, walletType: WalletType) =>
  withTx(test.db, (tx) => addDraftWallet(tx, services, { actor: admin }, { id, walletType }));
type Save = Omit<Parameters<typeof savePayrollDraft>[3], 'id' | 'version'>;
const save = (draft: Pick<PayrollDraft, 'id' | 'version'>, body: Save, by = admin) =>
  withTx(test.db, (tx) =>
    savePayrollDraft(
      tx,
      services,
      { actor: by },
      { id: draft.id, version: draft.version, ...body },
    ),
  );
const read = async (id: string) => getPayrollDraft(test.db, await readSettings(test.db), id);
const preview = (id: string) => previewPayrollDraft(test.db, services, { id, readerId: admin.id });
const send = (id: string) => sendDraftAsSeen(test.db, admin, id, services);
const seenOf = (id: string, { hash, alreadyPaid }: PayrollPreview) => ({
  ...{ id, previewHash: hash, alreadyPaidHash: alreadyPaid?.hash },
});
const sendSeen = (seen: ReturnType<typeof seenOf>, by = admin) =>
  withTx(test.db, (tx) => sendPayrollDraft(tx, services, { actor: by }, seen));
async function batchesNow(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM payroll_batch`.execute(test.db);
  return rows[0]?.count ?? 0;
}
/** Everything that those batches paid, by person and type of wallet. */
async function paidBy(batchIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    SELECT line.user_id || ' ' || batch.wallet_type || ' ' || line.amount_minor AS line
      FROM payroll_line AS line JOIN payroll_batch AS batch ON batch.id = line.batch_id
     WHERE batch.id = ANY (${batchIds}::uuid[]) AND line.status = 'processed' ORDER BY 1`.execute(
    test.db,
  );
  return rows.map(({ line }) => line);
}

/** Pays 100.00, 200.01 and 300.02 into salary wallets, and 5.00 and 6.01 into savings of the first two. */
async function ofTwoTypes(): Promise<{ whole: PayrollDraft; part: PayrollDraft }> {
  const whole = await draftOwnAmounts(
    test.db,
    admin,
    new Map([
      [idOf(0), 10_000n],
      [idOf(1), 20_001n],
      [idOf(2), 30_002n],
    ]),
    services,
  );
  const part = await save(await addWallet(whole.id, 'savings'), {
    people: [
      { id: idOf(0), amount: usd(500) },
      { id: idOf(1), amount: usd(601) },
    ],
  });
  return { whole: await read(whole.id), part };
}

describe('a payroll of several types of wallet', () => {
  it('is one draft with a part, and becomes a batch for each type by one confirmation', async () => {
    const { whole, part } = await ofTwoTypes();
    expect(whole).toMatchObject({
      ...{ partOf: null, employees: 3, total: usd(60_003) },
      name: expect.stringMatching(/^Payroll - /),
      wallets: [
        { id: whole.id, walletType: 'salary', employees: 3, total: usd(60_003) },
        { id: part.id, walletType: 'savings', employees: 2, total: usd(1_101) },
      ],
    });
    expect(part).toMatchObject({ partOf: whole.id, wallets: whole.wallets });
    const drafts = await newestDrafts(test.db, await readSettings(test.db), 100);
    expect(drafts.map(({ id }) => id)).toContain(whole.id);
    expect(drafts.map(({ id }) => id)).not.toContain(part.id);

    const seen = await preview(whole.id);
    expect(seen).toMatchObject({
      ...{ employeeCount: 3, payableCount: 5, total: usd(61_104) },
      wallets: [
        { draftId: whole.id, walletType: 'salary', payableCount: 3, total: usd(60_003) },
        { draftId: part.id, walletType: 'savings', payableCount: 2, total: usd(1_101) },
      ],
    });
    // Each person's wallets together.
    expect(seen.limits.map(({ takes }) => takes)).toEqual([usd(30_002), usd(61_104)]);

    const first = await send(whole.id);
    const [second] = first.together;
    expect(first).toMatchObject({ walletType: 'salary', total: usd(60_003), employees: 3 });
    expect(first.together).toMatchObject([{ walletType: 'savings', total: usd(1_101) }]);
    expect(second?.number).not.toBe(first.number);
    const ids = [first.id, second?.id ?? ''];
    for (const id of ids) await postPayroll(test.db, services, id, { chunkLines: 2 });
    expect(await paidBy(ids)).toEqual(
      [
        ...[`${idOf(0)} salary 10000`, `${idOf(1)} salary 20001`, `${idOf(2)} salary 30002`],
        ...[`${idOf(0)} savings 500`, `${idOf(1)} savings 601`],
      ].toSorted(),
    );
    for (const [id, paidLines] of [
      [ids[0], 3],
      [ids[1], 2],
    ] as const) {
      expect(await accountForPayroll(test.db, id ?? '')).toMatchObject({
        ...{ paidLines, losses: 0, doubles: 0 },
      });
    }
    expect(await read(part.id)).toMatchObject({ status: 'sent', sentBatchId: ids[1] });
    expect(await payrollFindings(test.db)).toEqual([]);
  });

  it('has its types in the order of screens, whichever was added first', async () => {
    const { whole } = await ofTwoTypes();
    const irs = await save(await addWallet(whole.id, 'irs'), {
      people: [{ id: idOf(0), amount: usd(700) }],
    });
    const inOrder = ['salary', 'savings', 'irs'];
    const typesOf = (wallets: readonly { walletType: WalletType }[]) =>
      wallets.map(({ walletType }) => walletType);
    expect(typesOf(irs.wallets)).toEqual(inOrder);
    expect(typesOf((await preview(whole.id)).wallets)).toEqual(inOrder);
    const sent = await send(whole.id);
    expect(typesOf([sent, ...sent.together])).toEqual(inOrder);
  });

  it('counts a person once from whom two types deduct', async () => {
    const before = await ofTwoTypes();
    const sent = await send(before.whole.id);
    const steps = recoverySteps(() => test.db, { sender: () => admin, admin: () => other });
    steps.at('2026-12-11T16:00:00.000Z');
    const person = { id: idOf(0), walletId: '' };
    for (const id of [sent.id, sent.together[0]?.id ?? '']) {
      await postPayroll(test.db, services, id);
      const { id: lineId } = await steps.lineOf(id, person);
      await steps.accept(person, (await steps.propose(lineId, { percent: 100 })).id);
    }
    services.clock.set('2026-12-12T15:00:00.000Z');
    const { whole } = await ofTwoTypes();
    const { deducted, wallets } = await preview(whole.id);
    expect(wallets.map((wallet) => wallet.deducted)).toEqual([
      { people: 1, total: usd(5_000) },
      { people: 1, total: usd(250) },
    ]);
    expect(deducted).toEqual({ people: 1, total: usd(5_250) });
  });

  it('has one hash over every type, person and amount', async () => {
    const { whole, part } = await ofTwoTypes();
    const before = await preview(whole.id);
    await save(part, { people: [{ id: idOf(0), amount: usd(501) }] }, other);
    const after = await preview(whole.id);
    expect(after.hash).not.toBe(before.hash);
    const count = await batchesNow();
    await expect(sendSeen(seenOf(whole.id, before))).rejects.toMatchObject({
      code: 'preview_stale',
    });
    expect(await batchesNow()).toBe(count);
    expect((await read(whole.id)).status).toBe('open');
  });

  it('sends none of its batches where one is refused', async () => {
    const { whole, part } = await ofTwoTypes();
    const count = await batchesNow();
    // Either is within the limit alone.
    await sql`UPDATE company_settings SET payroll_batch_limit_minor = 61103`.execute(test.db);
    const seen = await preview(whole.id);
    expect(seen.limits.at(-1)).toMatchObject({ isPassed: true, takes: usd(61_104) });
    await expect(sendSeen(seenOf(whole.id, seen))).rejects.toMatchObject({
      code: 'payroll_batch_limit',
    });
    await sql`UPDATE company_settings SET payroll_batch_limit_minor = 61104, payroll_line_limit_minor = 30001`.execute(
      test.db,
    );
    await expect(sendSeen(seenOf(whole.id, await preview(whole.id)))).rejects.toMatchObject({
      code: 'payroll_line_limit',
    });
    expect(await batchesNow()).toBe(count);
    expect([(await read(whole.id)).status, (await read(part.id)).status]).toEqual(['open', 'open']);
    await sql`UPDATE company_settings SET payroll_line_limit_minor = 30002`.execute(test.db);
    await send(whole.id);
    expect(await batchesNow()).toBe(count + 2);
  });

  it('counts all wallets of a person against the limit for one person', async () => {
    const { whole, part } = await ofTwoTypes();
    await save(part, { people: [{ id: idOf(1), amount: usd(10_002) }] });
    await sql`UPDATE company_settings SET payroll_line_limit_minor = 30002`.execute(test.db);
    const seen = await preview(whole.id);
    expect(seen.limits[0]).toMatchObject({ takes: usd(30_003), isPassed: true });
    await expect(sendSeen(seenOf(whole.id, seen))).rejects.toMatchObject({
      code: 'payroll_line_limit',
    });
  });

  it('is sent once by two administrators at the same moment', async () => {
    const { whole } = await ofTwoTypes();
    const seen = seenOf(whole.id, await preview(whole.id));
    const count = await batchesNow();
    expectOneWins(
      await Promise.allSettled([sendSeen(seen), sendSeen(seen, other)]),
      'payroll_draft_not_open',
    );
    expect(await batchesNow()).toBe(count + 2);
  });

  it('asks for the differences of each type', async () => {
    services.clock.set('2026-12-04T15:00:00.000Z');
    const sent = await send((await ofTwoTypes()).whole.id);
    for (const id of [sent.id, ...sent.together.map((one) => one.id)]) {
      await postPayroll(test.db, services, id);
    }
    services.clock.set('2026-12-11T15:00:00.000Z');
    const { whole, part } = await ofTwoTypes();
    await save(part, { people: [{ id: idOf(1), amount: null }] });
    const seen = await preview(whole.id);
    expect(
      seen.wallets.map(({ walletType, differences }) => [
        walletType,
        differences?.groups.map(({ group, total }) => [group, total]),
      ]),
    ).toEqual([
      ['salary', undefined],
      [
        'savings',
        [
          ['gone', usd(-601)],
          ['total', usd(-601)],
        ],
      ],
    ]);
    await expect(sendSeen(seenOf(whole.id, seen))).rejects.toMatchObject({
      code: 'differences_not_acknowledged',
    });
    await withTx(test.db, (tx) => acknowledgeAll(tx, services, { actor: admin }, seen));
    // Paid before in this period, which the preview says once for all types.
    expect(seen.alreadyPaid).toMatchObject({ count: 3, total: usd(61_104) });
    await expect(
      sendSeen({ ...seenOf(whole.id, seen), alreadyPaidHash: undefined }),
    ).rejects.toMatchObject({ code: 'already_paid' });
    expect((await sendSeen(seenOf(whole.id, seen))).together).toHaveLength(1);
  });

  it('takes a second person where the sum does, for each of its batches', async () => {
    const { whole } = await ofTwoTypes();
    await sql`UPDATE company_settings SET separate_payroll_minor = 61104`.execute(test.db);
    const seen = await preview(whole.id);
    expect(seen.secondPerson).toMatchObject({ isNeeded: true });
    const batch = await send(whole.id);
    const [second] = batch.together;
    expect([batch.status, second?.status]).toEqual(['pending', 'pending']);
    await withTx(test.db, (tx) => acknowledgeAll(tx, services, { actor: other }, seen));
    const approve = (id: string, by: Actor) =>
      withTx(test.db, (tx) => payrollActs.approve(tx, services, { actor: by }, { id }));
    for (const id of [batch.id, second?.id ?? '']) {
      expect((await getPayrollBatch(test.db, id, admin.id)).approval?.mayApprove).toBe(false);
      await expect(approve(id, admin)).rejects.toMatchObject({ code: 'second_person_needed' });
      await approve(id, other);
    }
    expect(await payrollFindings(test.db)).toEqual([]);
  });

  it('becomes one draft again when any of its batches is stopped or declined', async () => {
    const { whole } = await ofTwoTypes();
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 60`.execute(test.db);
    const batch = await send(whole.id);
    const [second] = batch.together;
    await withTx(test.db, (tx) =>
      payrollActs.stop(tx, services, { actor: admin }, { id: second?.id ?? '' }),
    );
    const stopped = await getPayrollBatch(test.db, second?.id ?? '', admin.id);
    expect(stopped).toMatchObject({ status: 'draft', together: [{ status: 'draft' }] });
    const draft = await read(stopped.draftId ?? '');
    expect(draft.wallets.map(({ walletType, total }) => [walletType, total])).toEqual([
      ['savings', usd(1_101)],
      ['salary', usd(60_003)],
    ]);
    const again = await send(draft.id);
    expect(again.together).toMatchObject([{ walletType: 'salary', total: usd(60_003) }]);
    expect(await payrollFindings(test.db)).toEqual([]);
  });

  it.each([
    ['stop', null, {}],
    ['decline', 1, { reason: 'Not yet' }],
  ] as const)('locks all of its batches before it does %s', async (verb, separate, reason) => {
    const { whole } = await ofTwoTypes();
    await sql`UPDATE company_settings
                 SET payroll_cancel_seconds = 60, separate_payroll_minor = ${separate}`.execute(
      test.db,
    );
    const batch = await send(whole.id);
    const ids = [batch, ...batch.together].map(({ id }) => id).toSorted();
    await expectLocksInOrder(test.db, 'payroll_batch', ids, () =>
      withTx(test.db, (tx) =>
        payrollActs[verb](tx, services, { actor: other }, { id: ids[1] ?? '', ...reason }),
      ),
    );
    expect(await payrollFindings(test.db)).toEqual([]);
  });

  it('has its pay date, department and description in common', async () => {
    const { whole, part } = await ofTwoTypes();
    const changed = await save(part, { payOn: '2099-01-08', description: 'January' });
    expect(await read(whole.id)).toMatchObject({
      ...{ payOn: '2099-01-08', description: 'January', version: whole.version + 1 },
    });
    await expect(save(whole, { description: 'Stale' })).rejects.toMatchObject({
      code: 'payroll_draft_changed',
    });
    expect(changed.version).toBe(part.version + 1);
  });

  it('pays each type once, and a part alone is not sent', async () => {
    const { whole, part } = await ofTwoTypes();
    await expect(addWallet(whole.id, 'savings')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(addWallet(part.id, 'salary')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(save(part, { walletType: 'salary' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(sendSeen(seenOf(part.id, await preview(part.id)))).rejects.toMatchObject({
      code: 'payroll_draft_not_found',
    });
    const empty = await addWallet(whole.id, 'irs');
    await expect(preview(whole.id)).rejects.toMatchObject({ code: 'payroll_draft_unfinished' });
    const discard = (id: string) =>
      withTx(test.db, (tx) => payrollDraftActs.discard(tx, services, { actor: admin }, { id }));
    await discard(empty.id);
    expect((await read(whole.id)).wallets).toHaveLength(2);
    await discard(whole.id);
    expect((await read(part.id)).status).toBe('discarded');
  });

  it('is copied with its parts, and rehearsed with all of them', async () => {
    const { whole } = await ofTwoTypes();
    const copy = await withTx(test.db, (tx) =>
      createPayrollDraft(
        tx,
        services,
        { actor: admin },
        {
          ...{ walletType: 'salary', department: 'all', payOn: null, description: 'Again' },
          ...{ hasOwnAmounts: true, amount: null, copyOf: { draft: whole.id } },
        },
      ),
    );
    expect(copy.wallets.map(({ walletType, total }) => [walletType, total])).toEqual([
      ['salary', usd(60_003)],
      ['savings', usd(1_101)],
    ]);
    const { chunks } = await rehearseDraft(test.db, services, { id: copy.id });
    let csv = '';
    for await (const chunk of chunks) csv += chunk;
    const paid = csv.split('\r\n').filter((line) => line.includes('paid'));
    expect(paid).toHaveLength(5);
    expect(paid.filter((line) => line.includes('Savings Account'))).toHaveLength(2);
  });
});
