import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { AMOUNT } from '#test/factories/payouts.ts';
import { openReturns, returnOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { bookWaiting, sweepReturnFiles } from './book-waiting.ts';
import { bookReturnTo } from './decide-entry.ts';
import { getReturns } from './queries.ts';

const services = createTestServices();
let { db, admin, other, steps } = {} as ReturnDesk;
openReturns(services, (desk) => {
  ({ db, admin, other, steps } = desk);
});

/** Each test has other numbers at the bank that sends back. */
let uploads = 0;
const textOf = (sent: readonly Sent[]) => {
  uploads += 1;
  return returnsFile(sent.map((one, at) => returnOf(one, { number: uploads * 100 + at }))).join(
    '\n',
  );
};
const bookFirst = (text: string, by = other) => steps.bookText(text, by, db, { most: 1 });
const bookRest = (id: string) => bookWaiting(db, services, id, { most: 1 });
const statusesOf = (sent: readonly Sent[]) => Promise.all(sent.map(({ id }) => steps.statusOf(id)));

describe('a file of more returns than one transaction books', () => {
  it('says how far it came, and is booked once by two that book it concurrently', async () => {
    const sent = (await steps.sent(3)) as [Sent, Sent, Sent];
    const text = textOf(sent);
    const { id, waiting, entryCount } = await bookFirst(text);
    expect({ waiting, entryCount }).toEqual({ waiting: 2, entryCount: 3 });
    const first = await getReturns(db, id);
    expect(first).toMatchObject({
      entryCount: 1,
      figures: { booked: { count: 1, total: { minor: '40000' }, wallets: 1 } },
    });
    expect(await statusesOf(sent)).toEqual(['returned', 'processing', 'processing']);
    await steps.expectSound();
    // The file was booked, although not all of it is back, and no other file has what waits.
    await expect(bookFirst(text)).rejects.toMatchObject({ code: 'return_file_booked' });
    expect((await steps.check(textOf(sent))).repeated).toBe(3);
    expect(await sweepReturnFiles(db)).toBe(1);
    await Promise.all([bookRest(id), bookRest(id)]);
    expect(await sweepReturnFiles(db)).toBe(0);
    expect(await statusesOf(sent)).toEqual(['returned', 'returned', 'returned']);
    const { files, figures } = await getReturns(db, id);
    expect(files.find((file) => file.id === id)).toMatchObject({ waiting: 0, open: 0 });
    expect(figures?.booked).toMatchObject({ count: 3, wallets: 3 });
  });

  it('leaves out what came back by hand while it waited', async () => {
    const sent = (await steps.sent(3)) as [Sent, Sent, Sent];
    await steps.doAct('settle', sent[0].fileId);
    const { id } = await bookFirst(textOf(sent));
    const byHand = { id: sent[1].id, reason: 'Account closed' };
    await withTx(db, (tx) => withdrawalActs.return(tx, services, other, byHand));
    await bookRest(id);
    const { entries } = await getReturns(db, id);
    expect(entries.map(({ status, cause }) => [status, cause])).toEqual([
      ['booked', null],
      ['booked', null],
      ['repeated', 'returned'],
    ]);
  });
});

describe('a duty of two people', () => {
  const separateFrom = async (separateReturnMinor: bigint | null) => {
    await steps.enterBank({ separateReturnMinor });
    await sql`INSERT INTO duty_in_force (duty, since) VALUES ('return', now()) ON CONFLICT DO NOTHING`.execute(
      db,
    );
  };

  it('refuses the whole file, also for a return of a later chunk', async () => {
    const sent = (await steps.sent(3)) as [Sent, Sent, Sent];
    await separateFrom(AMOUNT * 2n + 1n);
    await expect(bookFirst(textOf(sent), admin)).rejects.toMatchObject({
      code: 'second_person_needed',
    });
    expect(await statusesOf(sent)).toEqual(['processing', 'processing', 'processing']);
    await separateFrom(null);
  });

  it('that begins between two chunks leaves a return to another administrator', async () => {
    const sent = (await steps.sent(2)) as [Sent, Sent];
    const { id } = await bookFirst(textOf(sent), admin);
    await separateFrom(1n);
    await bookRest(id);
    const { entries } = await getReturns(db, id);
    expect(entries).toMatchObject([
      { status: 'unknown', cause: 'duty', payment: { reference: sent[1].reference } },
      { status: 'booked' },
    ]);
    const [{ id: entryId, payment } = { id: '', payment: null }] = entries;
    const decision = { id: entryId, itemId: payment?.itemId ?? '' };
    await expect(
      withTx(db, (tx) => bookReturnTo(tx, services, admin, decision)),
    ).rejects.toMatchObject({ code: 'second_person_needed' });
    await withTx(db, (tx) => bookReturnTo(tx, services, other, decision));
    expect(await statusesOf(sent)).toEqual(['returned', 'returned']);
    await separateFrom(null);
  });
});
