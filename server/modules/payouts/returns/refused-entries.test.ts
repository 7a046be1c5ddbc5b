import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { changeBalance, openReturns, returnOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openOwner } from '#test/unguarded.ts';
import { bookWaiting, sweepReturnFiles } from './book-waiting.ts';
import { getReturns } from './queries.ts';

const services = createTestServices();
const WHY = 'A stored balance was changed past the ledger. See System Health.';
let { db, other, steps } = {} as ReturnDesk;
let owner: ReturnType<typeof openOwner>;
openReturns(services, (desk) => {
  ({ db, other, steps } = desk);
  owner = openOwner(desk.test.ownerUrl);
});
afterAll(() => owner.close());

/** Details of the records of refused returns of a file. */
async function recorded(fileId: string): Promise<unknown[]> {
  const { rows } = await sql<{ details: unknown }>`
    SELECT details FROM audit_event
     WHERE action = 'return_file.returns_refused' AND subject_id = ${fileId}`.execute(db);
  return rows.map(({ details }) => details);
}

let uploads = 0;
const bookAll = (sent: readonly Sent[], options: { most?: number } = {}) => {
  uploads += 1;
  const entries = sent.map((one, at) => returnOf(one, { number: uploads * 100 + at }));
  return steps.bookText(returnsFile(entries).join('\n'), other, db, options);
};
const statusesOf = (sent: readonly Sent[]) => Promise.all(sent.map(({ id }) => steps.statusOf(id)));
const bookRest = (id: string) => bookWaiting(db, services, id, { most: 2 });

it('holds up no other return of its file, is shown with its reason, and is booked once it can be', async () => {
  const sent = await steps.sent(5);
  const lost = sent[2] as Sent;
  await changeBalance(owner.db, lost, 1);
  const { id, waiting } = await bookAll(sent, { most: 2 });
  expect(waiting).toBe(3);
  await bookRest(id);
  expect(await statusesOf(sent)).toEqual([
    'returned',
    'returned',
    'processing',
    'returned',
    'returned',
  ]);
  const page = () => getReturns(db, id);
  expect(await page()).toMatchObject({
    file: { waiting: 1, open: 1 },
    entryCount: 4,
    figures: { booked: { count: 4 } },
    refused: [{ status: 'waiting', why: WHY, payment: { id: lost.id } }],
  });
  expect(await recorded(id)).toEqual([{ returns: 1, reasons: [WHY] }]);
  await steps.expectSound();

  // It is tried again, by two concurrently as well, and recorded once.
  services.clock.set(new Date(services.clock.now().getTime() + 60_000).toISOString());
  expect(await sweepReturnFiles(db)).toBe(1);
  await Promise.all([bookRest(id), bookRest(id)]);
  const [refused] = (await page()).refused;
  expect(refused?.triedAt).toBe(services.clock.now().toISOString());
  expect(await recorded(id)).toHaveLength(1);
  const notices = await db
    .selectFrom('notification')
    .select(['message', 'relatedId'])
    .where('userId', '=', other.actor.id)
    .where('kind', '=', 'returns-refused')
    .execute();
  expect(notices).toEqual([
    {
      message: `1 return of northgate-returns.ach could not be booked. ${WHY} The others are booked, and Purser tries again each minute.`,
      relatedId: id,
    },
  ]);

  await changeBalance(owner.db, lost, -1);
  await Promise.all([bookRest(id), bookRest(id)]);
  expect(await sweepReturnFiles(db)).toBe(0);
  expect(await statusesOf(sent)).toEqual(sent.map(() => 'returned'));
  expect(await page()).toMatchObject({ file: { waiting: 0, open: 0 }, refused: [] });
});

it('does not refuse the decision on its file', async () => {
  const sent = await steps.sent(3);
  const lost = sent[0] as Sent;
  await changeBalance(owner.db, lost, 1);
  const { id, waiting } = await bookAll(sent);
  expect(waiting).toBe(1);
  expect(await statusesOf(sent)).toEqual(['processing', 'returned', 'returned']);
  await changeBalance(owner.db, lost, -1);
  await bookRest(id);
  expect(await statusesOf(sent)).toEqual(sent.map(() => 'returned'));
});
