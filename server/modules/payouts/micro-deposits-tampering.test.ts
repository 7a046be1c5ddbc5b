import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { enterMicroDeposits } from '#server/modules/bank-accounts/index.ts';
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

const DAY_MS = 86_400_000;
const services = createTestServices();
let test: TestDb;
let owner: ReturnType<typeof openOwner>;
/** Account whose deposits the bank has, with a wrong try, one whose first deposit it sent back, and one without deposits. */
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
  await steps.enterBank({ bankAccountProof: 'micro_deposits' });
  const by = await createPersonBy(db);
  const add = async (who: typeof by) => (await pendingBank(db, services, who)).id;
  [sent, returned, waits] = [
    await add(by),
    await add(await createPersonBy(db)),
    await add(await createPersonBy(db)),
  ];
  const chosen = { withdrawalIds: [], billIds: [], bankAccountIds: [sent, returned] };
  const file = await withTx(db, (tx) => makePayoutFile(tx, services, admin, chosen));
  await steps.download(file.id);
  await steps.doAct('send', file.id);
  const { entries } = await getPayoutFile(db, services, admin, file);
  const back = entries.find(({ id }) => id === returned);
  await steps.book([
    {
      code: 'R03',
      trace: back?.traceNumber ?? '',
      reference: back?.reference ?? '',
      amountMinor: BigInt(back?.amount.minor ?? 0),
    },
  ]);
  services.clock.set(new Date(services.clock.now().getTime() + 7 * DAY_MS).toISOString());
  const cents = { minor: '99', currency: 'USD' } as const;
  await withTx(db, (tx) =>
    enterMicroDeposits(tx, services, by, { id: sent, first: cents, second: cents }),
  );
});
afterAll(async () => {
  await owner.close();
  await test.close();
});

/** The checks of payouts, deposits, postings and returns that find something after `tamper`. */
const finds = (tamper: (tx: Tx) => Promise<unknown>) =>
  undone(owner.db, async (tx) => {
    await tamper(tx);
    const checks = businessChecks.filter(({ name }) =>
      /^(?:payout|micro-|posting-|settlement-|return-|withdrawal-return)/.test(name),
    );
    return [...new Set((await problemsIn(tx, checks)).map(({ check }) => check))].toSorted();
  });
const asServer = async (tx: Tx, text: string) => {
  await sql`SET LOCAL ROLE purser_app`.execute(tx);
  await sql.raw(text).execute(tx);
  await sql`RESET ROLE`.execute(tx);
};
/** SQL of the first deposit to the account whose deposits the bank has. */
const FIRST = () =>
  `(SELECT id FROM payout_file_item WHERE bank_account_id = '${sent}' AND deposit_number = 1)`;
const tried = (number: number, isRight: boolean) =>
  `INSERT INTO micro_deposit_try (item_id, number, is_right, tried_at) VALUES (${FIRST()}, ${number}, ${isRight}, now())`;
/** A deposit in the file that was sent, which the bank never had. */
const invented = (to: string, number: number, amountMinor: number) => `
  INSERT INTO payout_file_item (id, file_id, batch_number, trace_number, payees, effective_on, bank_account_id,
                                account_as_of, deposit_number, amount_minor)
  SELECT gen_random_uuid(), file_id, batch_number, '08420731000999${number}', payees, effective_on, '${to}',
         (SELECT submitted_at FROM bank_account WHERE id = '${to}'), ${number}, ${amountMinor}
    FROM payout_file_item WHERE bank_account_id = '${sent}' AND deposit_number = 1`;

describe('the server’s role', () => {
  it.each([
    ['send a deposit of a dollar', () => invented(waits, 1, 100)],
    ['send a third deposit', () => invented(sent, 2, 98)],
    [
      'change the amount of a deposit',
      () => `UPDATE payout_file_item SET amount_minor = 1 WHERE id = ${FIRST()}`,
    ],
    ['try a fourth time', () => tried(4, false)],
    ['try the same time again', () => tried(1, true)],
    ['try again after the right amounts', () => `${tried(2, true)}; ${tried(3, true)}`],
    ['make a wrong try right', () => `UPDATE micro_deposit_try SET is_right = true`],
    ['take a try back', () => `DELETE FROM micro_deposit_try`],
  ])('cannot %s', async (_what, text) => {
    await expect(undone(owner.db, (tx) => asServer(tx, text()))).rejects.toThrow();
  });

  it.each<[string, () => string, string[]]>([
    ['invents a right try', () => tried(2, true), ['micro-deposit-try']],
    [
      'invents a deposit',
      () => invented(waits, 1, 5),
      ['micro-deposit', 'payout-file', 'payout-prenote'],
    ],
    [
      'takes a deposit out of its file',
      () => `UPDATE payout_file_item SET is_live = false WHERE id = ${FIRST()}`,
      ['micro-deposit', 'payout-prenote', 'payouts-in-transit'],
    ],
    [
      'names no posting of a deposit',
      () => `UPDATE payout_file_item SET ledger_transaction_id = NULL WHERE id = ${FIRST()}`,
      ['micro-deposit'],
    ],
    [
      'names the posting of another deposit',
      () =>
        `UPDATE payout_file_item SET settlement_id = ledger_transaction_id WHERE id = ${FIRST()}`,
      ['micro-deposit', 'payouts-in-transit'],
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
    ['deletes a wrong try', () => `DELETE FROM micro_deposit_try`, ['micro-deposit-try']],
    [
      'makes both deposits equal',
      () => `UPDATE payout_file_item SET amount_minor = (
             SELECT min(n) FROM generate_series(1, 99) AS n
              WHERE n NOT IN (SELECT amount_minor FROM payout_file_item WHERE bank_account_id = '${returned}'))
           WHERE bank_account_id = '${returned}'`,
      ['micro-deposit', 'payout-file', 'payouts-in-transit', 'return-entry'],
    ],
    [
      'hides that a deposit came back',
      () => `UPDATE payout_file_item SET is_live = true WHERE bank_account_id = '${returned}'`,
      ['micro-deposit', 'payouts-in-transit', 'return-entry'],
    ],
  ])('is found that %s', async (_what, text, checks) => {
    const found = finds(async (tx) => {
      await liftGuards(tx);
      await sql.raw(text()).execute(tx);
    });
    expect(await found).toEqual(checks);
  });
});
