import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { expectOneWins } from '#test/one-wins.ts';
import type { TestDb } from '#test/open-db.ts';
import { acknowledgeAll, payrollFindings } from '#test/payroll-fixture.ts';
import { severalWalletsFixture, usd } from '#test/several-wallets-fixture.ts';
import { expectLocksInOrder } from '#test/start-and-block.ts';
import { payrollActs } from '../batch.ts';
import { postPayroll } from '../index.ts';
import { getPayrollBatch } from '../queries.ts';

let test: TestDb;
let admin: Actor;
let other: Actor;
const { services, idOf, save, read, preview, send, seenOf, sendSeen, batchesNow, ofTwoTypes } =
  severalWalletsFixture((company) => {
    ({ test, admin, other } = company);
  });

describe('sending a payroll of several types of wallet', () => {
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
});
