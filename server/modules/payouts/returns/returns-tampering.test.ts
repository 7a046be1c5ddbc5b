import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { changeOf, returnOf, returnSteps } from '#test/factories/returned-payouts.ts';
import type { Sent } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { problemsIn } from '#test/sound-books.ts';
import { liftGuards, openOwner, undone } from '#test/unguarded.ts';
import { acceptChange } from './decide-entry.ts';

const services = createTestServices();
let test: TestDb;
let owner: ReturnType<typeof openOwner>;
let booked: Sent;
let still: Sent;
let changed: Sent;

beforeAll(async () => {
  test = await openTestDb();
  owner = openOwner(test.ownerUrl);
  const admin = await createPersonBy(test.db, { role: 'admin' });
  const other = await createPersonBy(test.db, { role: 'admin' });
  const steps = returnSteps(test.db, services, { admin, other });
  await steps.enterBank();
  [booked, still] = (await steps.sent(2)) as [Sent, Sent];
  changed = await steps.sentOne();
  await steps.doAct('settle', changed.fileId);
  const entries = await steps.book([
    returnOf(booked),
    returnOf(still, { trace: '084207319999999' }),
    changeOf(changed, 'C01', '4400918'),
    changeOf(changed, 'C02', '021000021'),
  ]);
  const id = entries[2]?.id ?? '';
  await withTx(test.db, (tx) => acceptChange(tx, services, other, id));
});
afterAll(async () => {
  await owner.close();
  await test.close();
});

/** The checks of returns that find something after `tamper`. */
const finds = (tamper: (tx: Tx) => Promise<unknown>) =>
  undone(owner.db, async (tx) => {
    await tamper(tx);
    const checks = businessChecks.filter(({ name }) => name.startsWith('return-'));
    return [...new Set((await problemsIn(tx, checks)).map(({ check }) => check))].toSorted();
  });
const run = (text: string) => (tx: Tx) => sql.raw(text).execute(tx);

describe('the server’s role', () => {
  const asServer = (text: string) =>
    undone(owner.db, async (tx) => {
      await sql`SET LOCAL ROLE purser_app`.execute(tx);
      await sql.raw(text).execute(tx);
    });

  it.each([
    [
      'book an entry without a posting',
      `UPDATE return_entry SET status = 'booked' WHERE status = 'unknown'`,
    ],
    [
      'book an entry by the posting of another',
      `UPDATE return_entry SET status = 'booked', item_id = (SELECT item_id FROM return_entry WHERE status = 'booked'),
              transaction_id = (SELECT id FROM ledger_transaction WHERE kind = 'withdrawal' LIMIT 1)
        WHERE status = 'unknown'`,
    ],
    [
      'take a booked entry back',
      `UPDATE return_entry SET status = 'unknown', transaction_id = NULL WHERE status = 'booked'`,
    ],
    ['change an amount', `UPDATE return_entry SET amount_minor = 1`],
    ['change what a bank corrected', `UPDATE return_entry SET corrected_encrypted = ''`],
    ['delete an entry', `DELETE FROM return_entry`],
    ['change a file', `UPDATE return_file SET total_minor = 1`],
  ])('cannot %s', async (_what, text) => {
    await expect(asServer(text)).rejects.toThrow();
  });

  it.each<[string, string, string[]]>([
    [
      'sets an unknown return aside',
      `UPDATE return_entry SET status = 'not_ours', moved_at = now() WHERE status = 'unknown'`,
      ['return-entry'],
    ],
    [
      'declines a change',
      `UPDATE return_entry SET status = 'declined', moved_at = now() WHERE status = 'proposed'`,
      ['return-entry'],
    ],
    [
      'says that a change was accepted',
      `UPDATE return_entry SET status = 'accepted', moved_at = now() WHERE status = 'proposed'`,
      ['return-entry'],
    ],
  ])('is found that %s', async (_what, text, checks) => {
    expect(
      await finds((tx) =>
        sql`SET LOCAL ROLE purser_app`
          .execute(tx)
          .then(() => sql.raw(text).execute(tx))
          .then(() => sql`RESET ROLE`.execute(tx)),
      ),
    ).toEqual(checks);
  });
});

describe('an owner of the database', () => {
  const found = (text: string) =>
    finds(async (tx) => {
      await liftGuards(tx);
      await run(text)(tx);
    });

  it('finds nothing to begin with', async () => {
    expect(await finds(() => Promise.resolve())).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    [
      'hides that a payment came back',
      `UPDATE return_entry SET status = 'unknown', transaction_id = NULL WHERE status = 'booked'`,
      ['return-entry', 'return-record'],
    ],
    [
      'deletes the entry',
      `DELETE FROM return_entry WHERE status = 'booked'`,
      ['return-file', 'return-record'],
    ],
    [
      'lets a payment have come back with another amount',
      `UPDATE return_entry SET amount_minor = amount_minor + 1 WHERE status = 'booked'`,
      ['return-entry', 'return-file'],
    ],
    [
      'books an entry by a posting that gave nothing back',
      `UPDATE return_entry SET transaction_id = (SELECT id FROM ledger_transaction WHERE kind = 'withdrawal' LIMIT 1)
        WHERE status = 'booked'`,
      ['return-entry'],
    ],
    [
      'changes the file that was booked',
      `UPDATE return_file SET content_hash = repeat('0', 64)`,
      ['return-file'],
    ],
    [
      'puts a file in that nobody booked',
      `INSERT INTO return_file SELECT gen_random_uuid(), file_name, repeat('1', 64), bank_name, made_on, 1, 0, currency,
              created_by, created_at FROM return_file`,
      ['return-file'],
    ],
    [
      'hides that a change was accepted',
      `UPDATE return_entry SET status = 'declined' WHERE status = 'accepted'`,
      ['return-entry', 'return-record'],
    ],
    [
      'has another administrator have accepted it',
      `UPDATE return_entry SET moved_by = (SELECT created_by FROM payout_file LIMIT 1) WHERE status = 'accepted'`,
      ['return-entry'],
    ],
  ])('is found that %s', async (_what, text, checks) => {
    expect(await found(text)).toEqual(checks);
  });
});
