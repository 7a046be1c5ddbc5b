import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { expectSoundMoney } from '#test/factories/money.ts';
import { payoutSteps } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import { getPayoutFile } from './file-queries.ts';
import { postPayoutFile, sweepPayoutFiles } from './post-payout-file.ts';

const services = createTestServices();
const WHY = 'Its amount is no longer on hold.';
let test: TestDb;
let db: Db;
let owner: ReturnType<typeof openOwner>;
let admin: CommandContext;
let steps: ReturnType<typeof payoutSteps>;
let ids: string[];

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  owner = openOwner(test.ownerUrl);
  admin = await createPersonBy(db, { role: 'admin' });
  steps = payoutSteps(db, services, admin);
  await steps.enterBank();
});
afterAll(async () => {
  await owner.close();
  await test.close();
});
beforeEach(async () => {
  ids = [];
  for (let count = 0; count < 5; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    ids.push((await steps.approved()).id);
  }
});

/** Ends the hold of a withdrawal past the ledger, or puts it back, as only an owner of the database can. */
const setHeld = (id: string, isHeld: boolean) =>
  withTx(owner.db, async (tx) => {
    await sql`SET LOCAL purser.ledger_door = 'open'`.execute(tx);
    await sql`
      UPDATE ledger_hold SET state = ${isHeld ? 'held' : 'released'}, settled_at = CASE WHEN ${isHeld} THEN NULL ELSE now() END
       WHERE id = (SELECT hold_id FROM withdrawal WHERE id = ${id})`.execute(tx);
  });

async function statuses(): Promise<string[]> {
  const rows = await db
    .selectFrom('withdrawal')
    .select(['id', 'status'])
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(rows.map(({ id, status }) => [id, status]));
  return ids.map((id) => byId.get(id) ?? '');
}

/** Number of postings of each payment. */
async function postings(): Promise<number[]> {
  const { rows } = await sql<{ id: string; count: number }>`
    SELECT subject_id AS id, count(*)::int AS count FROM ledger_transaction
     WHERE subject_id = ANY (${ids}::uuid[]) AND kind = 'withdrawal' GROUP BY 1`.execute(db);
  const byId = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => byId.get(id) ?? 0);
}

/** Times at which the audit trail says that payments of a file were refused. */
async function recorded(fileId: string): Promise<unknown[]> {
  const { rows } = await sql<{ details: unknown }>`
    SELECT details FROM audit_event WHERE action = 'payout_file.payments_refused' AND subject_id = ${fileId}`.execute(
    db,
  );
  return rows.map(({ details }) => details);
}

/** Notifications of an administrator about refused payments, with the ids of their files. */
async function noticesOf({ actor }: CommandContext): Promise<[string, string][]> {
  const rows = await db
    .selectFrom('notification')
    .select(['message', 'relatedId'])
    .where('userId', '=', actor.id)
    .where('kind', '=', 'payments-refused')
    .execute();
  return rows.map(({ message, relatedId }) => [message, relatedId ?? '']);
}

async function sentWithoutHoldOf(at: number) {
  const file = await steps.make(ids);
  await steps.download(file.id);
  const lost = ids[at] ?? '';
  await setHeld(lost, false);
  await steps.doAct('send', file.id);
  return { file, lost, page: () => getPayoutFile(db, services, admin, file) };
}

describe('a payment that the ledger refuses', () => {
  it('holds up no other of its file, is shown with its reason, and is posted once it can be', async () => {
    const { file, lost, page } = await sentWithoutHoldOf(2);
    expect(await statuses()).toEqual([
      'processing',
      'processing',
      'approved',
      'processing',
      'processing',
    ]);
    expect(await page()).toMatchObject({ status: 'sent', unposted: 1 });
    expect((await page()).refused).toMatchObject([{ id: lost, why: WHY }]);
    expect(await recorded(file.id)).toEqual([{ payments: 1, reasons: [WHY] }]);

    const renee = await noticesOf(admin);
    expect(renee).toEqual([
      [
        `1 payment of payout file ${file.number} could not be posted. ${WHY} The others are posted, and Purser tries again each minute.`,
        file.id,
      ],
    ]);
    const byId = await getPayoutFile(db, services, admin, { number: file.id });
    expect(byId.number).toBe(file.number);

    // Nothing settles the file, cancels it, or frees the payment for another one while it waits.
    const unposted = { code: 'payout_file_unposted' };
    await expect(steps.doAct('settle', file.id)).rejects.toMatchObject(unposted);
    await expect(steps.doAct('cancel', file.id)).rejects.toMatchObject({
      code: 'payout_file_wrong_status',
    });
    await expect(steps.make([lost])).rejects.toMatchObject({ code: 'payout_item_not_ready' });

    // It is tried again, by two concurrently as well, and recorded once.
    services.clock.set(new Date(services.clock.now().getTime() + 60_000).toISOString());
    expect(await sweepPayoutFiles(db)).toBe(1);
    await Promise.all([
      postPayoutFile(db, services, file.id),
      postPayoutFile(db, services, file.id),
    ]);
    const [refused] = (await page()).refused;
    expect(refused?.triedAt).toBe(services.clock.now().toISOString());
    expect(await recorded(file.id)).toHaveLength(1);
    expect(await noticesOf(admin)).toEqual(renee);
    expect(await postings()).toEqual([1, 1, 0, 1, 1]);

    await setHeld(lost, true);
    await Promise.all([
      postPayoutFile(db, services, file.id),
      postPayoutFile(db, services, file.id),
    ]);
    expect(await sweepPayoutFiles(db)).toBe(0);
    expect(await page()).toMatchObject({ unposted: 0, refused: [] });
    expect(await postings()).toEqual([1, 1, 1, 1, 1]);
    await steps.expectSound();
    await steps.doAct('settle', file.id);
    expect(await statuses()).toEqual(Array(5).fill('completed'));
    await steps.expectSound();
    await expectSoundMoney(db);
  });

  it('leaves the books right for what is posted', async () => {
    const { file, lost } = await sentWithoutHoldOf(0);
    // Verification knows that it is still to be posted: it finds the hold alone.
    await steps.expectSound(/hold/);
    await setHeld(lost, true);
    await steps.expectSound();
    await postPayoutFile(db, services, file.id);
    await steps.doAct('settle', file.id);
    await expectSoundMoney(db);
  });
});
