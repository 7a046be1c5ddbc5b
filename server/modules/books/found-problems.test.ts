import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import type { BusyCompany } from '#test/busy-ids.ts';
import { createTestServices } from '#test/factories/services.ts';
import type { TestDb } from '#test/open-db.ts';
import { untilBlocked } from '#test/until-blocked.ts';
import { openTestBooks } from '#test/verified-books.ts';
import type { TestBooks } from '#test/verified-books.ts';
import { verifyNewest, verifyWhole } from './jobs.ts';
import { areBooksSound, getBooks } from './queries.ts';
import { updateBooksRules } from './update-books-rules.ts';
import type { BooksVerifier } from './verify-books.ts';

const stop = { signal: new AbortController().signal };

let books: TestBooks;
let database: TestDb;
let company: BusyCompany;
let verifier: BooksVerifier;

beforeAll(async () => {
  books = await openTestBooks();
  ({ database, company, verifier } = books);
  await verifyWhole(verifier, stop);
});
afterAll(() => books.close());
beforeEach(async () => {
  if (!(await areBooksSound(database.db))) await verifyWhole(verifier, stop);
  const { problems } = await getBooks(database.db);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
});

const asAdmin = (): CommandContext => company.admin;

async function inbox(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('notification')
    .select('title')
    .where('userId', '=', company.admin.actor.id)
    .where('title', 'like', 'Books %')
    .orderBy('createdAt')
    .execute();
  return rows.map(({ title }) => title);
}

const unsoundRun = sql`
  INSERT INTO verification_run (started_at, finished_at, is_sound) VALUES (now(), now(), false)`;
const soundRun = sql`
  INSERT INTO verification_run (started_at, finished_at, is_sound) VALUES (now(), now(), true)`;
const recordOf = (action: string) => sql`
  INSERT INTO audit_event (actor_role, action, subject_type) VALUES ('system', ${action}, 'books')`;

/** Newest record of what verifications found. */
async function newestRecord(): Promise<string | undefined> {
  const row = await database.db
    .selectFrom('auditEvent')
    .select('action')
    .where('subjectType', '=', 'books')
    .where('action', 'like', 'books.found_%')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.action;
}

const approve = () =>
  withTx(database.db, (tx) =>
    withdrawalActs.approve(tx, createTestServices(), asAdmin(), {
      id: company.withdrawals.pending,
    }),
  );

describe('a problem', () => {
  test('stops payouts and notifies every admin, until a run of everything is sound', async () => {
    await books.whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      expect(await getBooks(database.db)).toMatchObject({
        areSound: false,
        problems: expect.arrayContaining([
          expect.objectContaining({
            check: 'account-balance',
            id: company.ben.wallet.ledgerAccountId,
          }),
        ]),
        payoutsStoppedAt: expect.any(String),
      });
      await expect(approve()).rejects.toMatchObject({ code: 'payouts_stopped' });
      const start = withTx(database.db, (tx) =>
        withdrawalActs.startProcessing(tx, createTestServices(), asAdmin(), {
          id: company.withdrawals.approved,
        }),
      );
      await expect(start).rejects.toMatchObject({ code: 'payouts_stopped' });
      // A second problem sends no second notification.
      await verifyWhole(verifier, stop);
    });
    expect(await inbox()).toEqual(['Books Not Sound']);

    // A run of the newest part no longer sees the problem, and says nothing about the rest.
    await verifyNewest(verifier, stop);
    expect(await areBooksSound(database.db)).toBe(false);
    await expect(approve()).rejects.toMatchObject({ code: 'payouts_stopped' });

    await verifyWhole(verifier, stop);
    expect(await getBooks(database.db)).toMatchObject({ areSound: true, payoutsStoppedAt: null });
    expect(await inbox()).toEqual(['Books Not Sound', 'Books Sound Again']);
  });

  test.each<{ what: string; rows: RawBuilder<unknown>[] }>([
    { what: 'a run without its record', rows: [unsoundRun] },
    { what: 'a record without its run', rows: [recordOf('books.found_unsound')] },
    { what: 'both', rows: [unsoundRun, recordOf('books.found_unsound')] },
  ])('that the server’s role invents by $what hides no other one', async ({ rows }) => {
    for (const row of rows) await row.execute(database.db);
    await books.whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      expect(await getBooks(database.db)).toMatchObject({
        areSound: false,
        payoutsStoppedAt: expect.any(String),
      });
      expect(await newestRecord()).toBe('books.found_unsound');
      expect((await inbox()).at(-1)).toBe('Books Not Sound');
      await verifyNewest(verifier, stop);
      expect(await areBooksSound(database.db)).toBe(false);
    });
    await verifyWhole(verifier, stop);
    expect(await getBooks(database.db)).toMatchObject({
      areSound: true,
      problems: [],
      payoutsStoppedAt: null,
    });
    expect(await newestRecord()).toBe('books.found_sound');
  });

  test.each<{ what: string; row: RawBuilder<unknown> }>([
    { what: 'a run', row: soundRun },
    { what: 'a record', row: recordOf('books.found_sound') },
  ])('that the server’s role hides by $what stays found', async ({ row }) => {
    await books.whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      await row.execute(database.db);
      await verifyWhole(verifier, stop);
      expect(await getBooks(database.db)).toMatchObject({
        areSound: false,
        payoutsStoppedAt: expect.any(String),
      });
      expect(await newestRecord()).toBe('books.found_unsound');
    });
    await verifyWhole(verifier, stop);
    expect(await getBooks(database.db)).toMatchObject({ areSound: true, payoutsStoppedAt: null });
  });

  test('does not hold back a payout that was already sent to the bank', async () => {
    await books.whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      const completed = await withTx(database.db, (tx) =>
        withdrawalActs.complete(tx, createTestServices(), asAdmin(), {
          id: company.withdrawals.processing,
        }),
      );
      expect(completed.status).toBe('completed');
    });
    await books.seal();
  });

  test('does not stop payouts if the company chose that, and stops them once it chooses otherwise', async () => {
    const choose = (stopPayoutsWhenUnsound: boolean) =>
      withTx(database.db, async (tx) => {
        await updateBooksRules(tx, createTestServices(), asAdmin(), { stopPayoutsWhenUnsound });
        return getBooks(tx);
      });
    expect(await choose(false)).toMatchObject({ stopPayoutsWhenUnsound: false });
    await books.whileUnsound(async () => {
      await verifyWhole(verifier, stop);
      expect(await getBooks(database.db)).toMatchObject({
        areSound: false,
        payoutsStoppedAt: null,
      });
      expect(await choose(true)).toMatchObject({ payoutsStoppedAt: expect.any(String) });
      await expect(approve()).rejects.toMatchObject({ code: 'payouts_stopped' });
      expect(await choose(false)).toMatchObject({ payoutsStoppedAt: null });
      expect(await choose(true)).toMatchObject({ payoutsStoppedAt: expect.any(String) });
    });
    await books.seal();
  });
});

test('does not override a choice that is made while a run ends', async () => {
  const choose = (stopPayoutsWhenUnsound: boolean) => (tx: Tx) =>
    updateBooksRules(tx, createTestServices(), asAdmin(), { stopPayoutsWhenUnsound });
  await books.whileUnsound(async () => {
    let running: Promise<void> | undefined;
    await withTx(database.db, async (tx) => {
      await choose(false)(tx);
      running = verifyWhole(verifier, stop);
      await untilBlocked(database.db);
    });
    await running;
    expect(await getBooks(database.db)).toMatchObject({
      areSound: false,
      stopPayoutsWhenUnsound: false,
      payoutsStoppedAt: null,
    });
  });
  await withTx(database.db, choose(true));
});
