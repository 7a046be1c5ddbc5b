import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { post } from '#server/modules/ledger/index.ts';
import { payPerson } from '#server/modules/payments/index.ts';
import { withdrawalActs, requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createPayee, withdrawalIn, withdrawalOf } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import { withTx } from './tx.ts';
import type { Db } from './tx.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;
let grace: Payee;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin' });
  await offerDeposits(db, services);
  maya = await createPayee(db, services, { admin });
  grace = await createPayee(db, services, { admin });
});
afterAll(() => test.close());

const digitsOf = (reference: string | null) => reference?.replace(/^[A-Z]+-/, '');
const askDeposit = async ({ by, wallet }: Payee) =>
  withTx(db, (tx) =>
    requestDeposit(tx, services, by, {
      walletId: wallet.id,
      method: 'ach',
      amount: money(5_000n, 'USD'),
    }),
  );
const askWithdrawal = async (payee: Payee) =>
  withTx(db, (tx) => requestWithdrawal(tx, services, payee.by, withdrawalOf(payee, 1_000n)));

/** Gives a number to another thing, as in rows older than the one sequence for everything. */
async function giveNumberAway(digits: string): Promise<void> {
  const owner = openOwner(test.ownerUrl);
  await withTx(owner.db, async (tx) => {
    await sql`ALTER TABLE reference_number DISABLE TRIGGER USER`.execute(tx);
    await sql`UPDATE reference_number SET thing_id = ${newId()} WHERE digits = ${digits}`.execute(
      tx,
    );
    await sql`ALTER TABLE reference_number ENABLE TRIGGER USER`.execute(tx);
  });
  await owner.close();
}

describe('a number', () => {
  it('is shared by a withdrawal and its payout', async () => {
    const paid = await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
    expect(paid.reference).toMatch(/^WD-\d{8}$/);
    expect(paid.transactionReference).toBe(`TXN-${digitsOf(paid.reference)}`);
  });

  it('belongs to only one thing, of whatever kind', async () => {
    for (let round = 0; round < 3; round += 1) {
      await askWithdrawal(maya);
      const { id } = await askDeposit(grace);
      await withTx(db, (tx) => depositActs.approve(tx, services, admin, { id }));
      // A new person each time, because a bank account from which money came back accepts no more.
      const payee = await createPayee(db, services, { admin });
      const paid = await withdrawalIn(db, services, { payee, admin, status: 'completed' });
      await withTx(db, (tx) =>
        withdrawalActs.return(tx, services, admin, { id: paid.id, reason: 'Account closed' }),
      );
      await withTx(db, (tx) =>
        payPerson(tx, services, maya.by, {
          recipientId: grace.by.actor.id,
          walletId: maya.wallet.id,
          note: '',
          amount: money(100n, 'USD'),
          savePayee: false,
        }),
      );
    }
    const { rows } = await sql<{ digits: string; things: bigint }>`
      SELECT substring(reference FROM '[0-9]+$') AS digits, count(DISTINCT thing) AS things FROM (
        SELECT reference, id AS thing FROM withdrawal
        UNION ALL SELECT reference, id FROM deposit
        UNION ALL SELECT reference, id FROM person_payment
        UNION ALL SELECT reference, subject_id FROM ledger_transaction
                   WHERE reference !~ '^(PAY|IF)-') AS numbered
       GROUP BY 1`.execute(db);
    expect(rows.length).toBeGreaterThan(12);
    expect(rows.filter(({ things }) => things !== 1n)).toEqual([]);
  });

  it('cannot belong to another thing, whoever writes it', async () => {
    const { reference } = await askDeposit(maya);
    const posting = {
      kind: 'transfer',
      reference: `TXN-${digitsOf(reference)}`,
      description: 'Paid',
      actorId: null,
      subjectId: newId(),
      entries: [
        { accountId: maya.wallet.ledgerAccountId, amountMinor: -100n },
        { accountId: grace.wallet.ledgerAccountId, amountMinor: 100n },
      ],
    };
    await expect(
      withTx(db, (tx) => post(tx, [posting], { effectiveAt: services.clock.now() })),
    ).rejects.toThrow(/reference_number_pkey/);

    const owner = openOwner(test.ownerUrl);
    await sql`SELECT setval('reference_number_seq', last_value - 1) FROM reference_number_seq`.execute(
      owner.db,
    );
    await owner.close();
    await expect(askWithdrawal(grace)).rejects.toThrow(/reference_number_pkey/);
    // The sequence has advanced.
    expect((await askWithdrawal(grace)).reference).not.toContain(digitsOf(reference));
  });

  it('is not used for the payout of an older request that shares it with another thing', async () => {
    const { id, reference } = await withdrawalIn(db, services, {
      payee: maya,
      admin,
      status: 'processing',
    });
    await giveNumberAway(digitsOf(reference) ?? '');
    const paid = await withTx(db, (tx) => withdrawalActs.complete(tx, services, admin, { id }));
    expect(paid.reference).toBe(reference);
    expect(paid.transactionReference).toMatch(/^TXN-\d{8}$/);
    expect(digitsOf(paid.transactionReference)).not.toBe(digitsOf(reference));
  });
});
