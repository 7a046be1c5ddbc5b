import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { getPayoutFile } from '#server/modules/payouts/file-queries.ts';
import { bookReturns, checkReturns } from '#server/modules/payouts/returns/book-returns.ts';
import { getReturns } from '#server/modules/payouts/returns/queries.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import type { Services } from '#server/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { problemsIn } from '../sound-books.ts';
import { expectSoundMoney } from './money.ts';
import type { Payee } from './money.ts';
import { AMOUNT, payoutSteps } from './payouts.ts';
import { createPersonBy } from './people.ts';
import { returnsFile } from './returns-file.ts';
import type { ReturnedEntry } from './returns-file.ts';

/** A payment that was sent in a file. */
export interface Sent {
  who: Payee;
  id: string;
  fileId: string;
  number: string;
  trace: string;
  reference: string;
}

/** A return of all of it. */
export function returnOf({ trace, reference }: Sent, more: Partial<ReturnedEntry> = {}) {
  return { code: 'R03', trace, reference, amountMinor: AMOUNT, ...more };
}

/** A notification of change about it. */
export function changeOf({ trace, reference }: Sent, code: string, corrected: string) {
  return { code, trace, reference, corrected };
}

/** Changes the stored balance of a payment's wallet past the ledger, as only an owner of the database can. */
export function changeBalance(owner: Db, { who }: Sent, byMinor: number): Promise<unknown> {
  return withTx(owner, async (tx) => {
    await sql`SET LOCAL purser.ledger_door = 'open'`.execute(tx);
    await sql`
      UPDATE ledger_account SET posted = posted + ${byMinor}
       WHERE id = (SELECT ledger_account_id FROM wallet WHERE id = ${who.wallet.id})`.execute(tx);
  });
}

/** The upload of a text. */
/** Bytes of a part of an upload: fewer than those by which the format is recognized. */
const PART_BYTES = 150;

/** A text as it arrives, part by part. */
export function uploadOf(text: string): UploadBody {
  return {
    read: () => Promise.reject(new Error('is no image')),
    async *stream() {
      const bytes = Buffer.from(text, 'latin1');
      for (let from = 0; from < bytes.length; from += PART_BYTES) {
        yield bytes.subarray(from, from + PART_BYTES);
      }
    },
  };
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

/** The checks of verification that are about returns. */
const CHECKS = businessChecks.filter(({ name }) =>
  /^(?:return|bank-account-(?:record|use|history))/.test(name),
);

/** Steps of returns: `admin` pays, and `other` books. */
export function returnSteps(
  db: Db,
  services: Services,
  { admin, other }: { admin: CommandContext; other: CommandContext },
) {
  const payouts = payoutSteps(db, services, admin);
  let uploads = 0;
  const sent = async (count: number): Promise<Sent[]> => {
    const requests: { who: Payee; id: string }[] = [];
    while (requests.length < count) requests.push(await payouts.approved());
    const file = await payouts.make(requests.map(({ id }) => id));
    await payouts.download(file.id);
    await payouts.doAct('send', file.id);
    const { entries } = await getPayoutFile(db, services, admin, { number: file.number });
    return requests.map(({ who, id }) => {
      const { traceNumber = '', reference = '' } = entries.find((one) => one.id === id) ?? {};
      return { who, id, fileId: file.id, number: file.number, trace: traceNumber, reference };
    });
  };
  const sentOne = async (): Promise<Sent> => {
    const [one] = await sent(1);
    if (one === undefined) throw new Error('nothing was sent');
    return one;
  };
  const bookText = (
    text: string,
    by = other,
    on = db,
    options: Parameters<typeof bookReturns>[4] = {},
  ) => {
    const query = { fileName: 'northgate-returns.ach', hash: hashOf(text) };
    return bookReturns(on, services, by, { query, body: uploadOf(text) }, options);
  };
  /** Books a text. Returns its entries. */
  const bookAll = async (text: string) => (await getReturns(db, (await bookText(text)).id)).entries;
  const check = (text: string) => checkReturns(db, uploadOf(text));
  /** Books entries in a file that no other test has. Returns its entries. */
  const book = async (entries: readonly ReturnedEntry[], by = other) => {
    uploads += 1;
    const numbered = entries.map((entry, at) => ({ number: uploads * 100 + at, ...entry }));
    const file = await bookText(returnsFile(numbered).join('\n'), by);
    return (await getReturns(db, file.id)).entries;
  };
  const statusOf = async (id: string) =>
    (await db.selectFrom('withdrawal').select('status').where('id', '=', id).executeTakeFirst())
      ?.status;
  const bankOf = ({ who }: Sent) =>
    db
      .selectFrom('bankAccount')
      .selectAll()
      .where('id', '=', who.bank.id)
      .executeTakeFirstOrThrow();
  const lastNotice = async ({ who }: Sent) =>
    (
      await db
        .selectFrom('notification')
        .select('message')
        .where('userId', '=', who.by.actor.id)
        .orderBy('id', 'desc')
        .executeTakeFirst()
    )?.message;
  const expectSound = async (without = /^$/) => {
    await payouts.expectSound(without);
    const checks = CHECKS.filter(({ name }) => !without.test(name));
    expect(await withTx(db, (tx) => problemsIn(tx, checks))).toEqual([]);
  };
  return {
    ...payouts,
    sent,
    sentOne,
    bookText,
    bookAll,
    check,
    book,
    statusOf,
    bankOf,
    lastNotice,
    expectSound,
  };
}

/** A database for tests of returns. */
export interface ReturnDesk {
  test: TestDb;
  db: Db;
  /** The administrator who pays. */
  admin: CommandContext;
  /** The one who books. */
  other: CommandContext;
  steps: ReturnType<typeof returnSteps>;
}

/** Opens a database before the tests of a file, and verifies it after each of them. */
export function openReturns(
  services: Services,
  take: (desk: ReturnDesk) => unknown,
  bank?: Parameters<ReturnDesk['steps']['enterBank']>[0],
): void {
  let desk: ReturnDesk;
  beforeAll(async () => {
    const test = await openTestDb();
    const { db } = test;
    const named = (firstName: string, lastName: string) =>
      createPersonBy(db, { role: 'admin', firstName, lastName });
    const admin = await named('Renee', 'Albright');
    const other = await named('Theo', 'Marchetti');
    const steps = returnSteps(db, services, { admin, other });
    await steps.enterBank(bank);
    desk = { test, db, admin, other, steps };
    await take(desk);
  });
  afterEach(() => expectSoundMoney(desk.db));
  afterEach(() => desk.steps.expectSound());
  afterAll(() => desk.test.close());
}
