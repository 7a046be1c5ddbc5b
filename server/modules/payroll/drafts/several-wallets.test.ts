import { describe, expect, it } from 'vitest';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { TestDb } from '#test/open-db.ts';
import { accountForPayroll, payrollFindings } from '#test/payroll-fixture.ts';
import { recoverySteps } from '#test/recovery-fixture.ts';
import { severalWalletsFixture, usd } from '#test/several-wallets-fixture.ts';
import { postPayroll } from '../index.ts';
import { createPayrollDraft } from './create-draft.ts';
import { payrollDraftActs } from './draft.ts';
import { rehearseDraft } from './rehearse-draft.ts';
import { newestDrafts } from './rows.ts';

let test: TestDb;
let admin: Actor;
let other: Actor;
const {
  services,
  idOf,
  addWallet,
  save,
  read,
  preview,
  send,
  seenOf,
  sendSeen,
  batchesNow,
  paidBy,
  ofTwoTypes,
} = severalWalletsFixture((company) => {
  ({ test, admin, other } = company);
});

describe('a payroll of several types of wallet', () => {
  it('is one draft with a part, and becomes a batch for each type by one confirmation', async () => {
    const { whole, part } = await ofTwoTypes();
    expect(whole).toMatchObject({
      partOf: null,
      employees: 3,
      total: usd(60_003),
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
      employeeCount: 3,
      payableCount: 5,
      total: usd(61_104),
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
        `${idOf(0)} salary 10000`,
        `${idOf(1)} salary 20001`,
        `${idOf(2)} salary 30002`,
        `${idOf(0)} savings 500`,
        `${idOf(1)} savings 601`,
      ].toSorted(),
    );
    for (const [id, paidLines] of [
      [ids[0], 3],
      [ids[1], 2],
    ] as const) {
      expect(await accountForPayroll(test.db, id ?? '')).toMatchObject({
        paidLines,
        losses: 0,
        doubles: 0,
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

  it('has its pay date, department and description in common', async () => {
    const { whole, part } = await ofTwoTypes();
    const changed = await save(part, { payOn: '2099-01-08', description: 'January' });
    expect(await read(whole.id)).toMatchObject({
      payOn: '2099-01-08',
      description: 'January',
      version: whole.version + 1,
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
          walletType: 'salary',
          department: 'all',
          payOn: null,
          description: 'Again',
          hasOwnAmounts: true,
          amount: null,
          copyOf: { draft: whole.id },
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
