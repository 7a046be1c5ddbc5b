import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import { pendingBank } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { returnSteps } from '#test/factories/returned-payouts.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { problemsIn } from '#test/sound-books.ts';
import { liftGuards, openOwner, undone } from '#test/unguarded.ts';
import { makePayoutFile } from './make-payout-file.ts';
import { getPayoutFile } from './file-queries.ts';

const services = createTestServices();
let test: TestDb;
let owner: ReturnType<typeof openOwner>;
/** Prenote that the bank has, one that it sent back, and an account without one. */
let sent: string;
let returned: string;
let waits: string;

beforeAll(async () => {
  test = await openTestDb();
  owner = openOwner(test.ownerUrl);
  const { db } = test;
  const admin = await createPersonBy(db, { role: 'admin' });
  const other = await createPersonBy(db, { role: 'admin' });
  const steps = returnSteps(db, services, { admin, other });
  await steps.enterBank({ bankAccountProof: 'prenote' });
  const add = async () => (await pendingBank(db, services, await createPersonBy(db))).id;
  [sent, returned, waits] = [await add(), await add(), await add()];
  const chosen = { withdrawalIds: [], billIds: [], bankAccountIds: [sent, returned] };
  const file = await withTx(db, (tx) => makePayoutFile(tx, services, admin, chosen));
  await steps.download(file.id);
  await steps.doAct('send', file.id);
  const { entries } = await getPayoutFile(db, services, admin, file);
  const back = entries.find(({ id }) => id === returned);
  await steps.book([
    { code: 'R03', trace: back?.traceNumber ?? '', reference: back?.reference ?? '' },
  ]);
});
afterAll(async () => {
  await owner.close();
  await test.close();
});

/** The checks of payouts and returns that find something after `tamper`. */
const finds = (tamper: (tx: Tx) => Promise<unknown>) =>
  undone(owner.db, async (tx) => {
    await tamper(tx);
    const checks = businessChecks.filter(({ name }) => /^(?:payout-|return-)/.test(name));
    return [...new Set((await problemsIn(tx, checks)).map(({ check }) => check))].toSorted();
  });
const asServer = async (tx: Tx, text: string) => {
  await sql`SET LOCAL ROLE purser_app`.execute(tx);
  await sql.raw(text).execute(tx);
  await sql`RESET ROLE`.execute(tx);
};
/** A prenote in the file that was sent, which the bank never had. */
const invented = (amountMinor: number) => `
  INSERT INTO payout_file_item (id, file_id, batch_number, trace_number, payees, effective_on, bank_account_id,
                                account_as_of, amount_minor)
  SELECT gen_random_uuid(), file_id, batch_number, '084207310009999', payees, effective_on, '${waits}',
         (SELECT submitted_at FROM bank_account WHERE id = '${waits}'), ${amountMinor}
    FROM payout_file_item WHERE bank_account_id = '${sent}'`;

describe('the server’s role', () => {
  it.each([
    ['give a prenote an amount', () => invented(1)],
    [
      'change the amount of a prenote',
      () => `UPDATE payout_file_item SET amount_minor = 1 WHERE bank_account_id = '${sent}'`,
    ],
    ['send a second prenote to the account as it is', () => invented(0).replaceAll(waits, sent)],
    [
      'move a prenote to an earlier day',
      () => `UPDATE payout_file_item SET effective_on = '2026-12-01'`,
    ],
    [
      'turn a prenote to another account',
      () => `UPDATE payout_file_item SET bank_account_id = '${waits}'`,
    ],
  ])('cannot %s', async (_what, text) => {
    await expect(undone(owner.db, (tx) => asServer(tx, text()))).rejects.toThrow();
  });

  it.each<[string, () => string, string[]]>([
    ['invents a prenote', () => invented(0), ['payout-file', 'payout-prenote']],
    [
      'takes a prenote out of its file',
      () => `UPDATE payout_file_item SET is_live = false WHERE bank_account_id = '${sent}'`,
      ['payout-prenote'],
    ],
    [
      'lets a prenote count that came back',
      () => `UPDATE payout_file_item SET is_live = true WHERE bank_account_id = '${returned}'`,
      ['return-entry'],
    ],
  ])('is found that %s', async (_what, text, checks) => {
    expect(await finds((tx) => asServer(tx, text()))).toEqual(checks);
  });
});

describe('an owner of the database', () => {
  it('finds nothing to begin with', async () => {
    expect(await finds(() => Promise.resolve())).toEqual([]);
  });

  it.each<[string, () => string, string[]]>([
    [
      'moves a prenote to an earlier day',
      () =>
        `UPDATE payout_file_item SET effective_on = '2026-12-01' WHERE bank_account_id = '${sent}'`,
      ['payout-prenote'],
    ],
    [
      'deletes a prenote',
      () => `DELETE FROM payout_file_item WHERE bank_account_id = '${sent}'`,
      ['payout-file'],
    ],
    [
      'hides that a prenote came back',
      () => `DELETE FROM return_entry WHERE status = 'booked'`,
      ['payout-prenote', 'return-file', 'return-record'],
    ],
  ])('is found that %s', async (_what, text, checks) => {
    const found = finds(async (tx) => {
      await liftGuards(tx);
      await sql.raw(text()).execute(tx);
    });
    expect(await found).toEqual(checks);
  });
});
