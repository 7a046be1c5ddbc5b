import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { reverseAll } from '#server/modules/ledger/index.ts';
import { wordsIn, readDocsTable } from '#test/docs-table.ts';
import { forgedPayments } from '#test/forged-payments.ts';
import { PAYMENT_CASES } from '#test/payment-cases.ts';
import { asServer, forge, openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

const { transfer, postMove, mayasLine, insertMove, insertPayment, insertBill } = forgedPayments(
  () => company,
);

interface Case {
  what: string;
  does: (tx: Tx) => Promise<unknown>;
  /** Exactly the checks that find it. */
  found: readonly string[];
}

/** Acts of an intruder in the server, past nothing that is refused. */
const byServer: Case[] = [
  {
    what: 'posts a payment to a person that nobody made',
    does: (tx) => transfer(tx, {}),
    found: ['payment-posting'],
  },
  {
    what: 'pays a person in another’s name',
    does: async (tx) => {
      const id = newId();
      await insertPayment(tx, { id, transactionId: await transfer(tx, { subjectId: id }) });
    },
    found: ['payment-history'],
  },
  {
    what: 'records a payment to a person that did not happen',
    does: (tx) =>
      sql`INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id)
          VALUES (${company.ids.maya}, 'employee', 'person_payment.made', 'person_payment',
                  ${newId()})`.execute(tx),
    found: ['payment-history'],
  },
  {
    what: 'posts a move between own accounts that nobody made',
    does: (tx) => postMove(tx, {}),
    found: ['move-posting'],
  },
  {
    what: 'moves money in its owner’s name',
    does: async (tx) => {
      const id = newId();
      await insertMove(tx, { id, transactionId: await postMove(tx, { subjectId: id }) });
    },
    found: ['move-history'],
  },
  {
    what: 'makes an automatic transfer that no rule made',
    does: async (tx) => {
      const id = newId();
      const transactionId = await postMove(tx, { subjectId: id, actorId: null });
      await insertMove(tx, { id, transactionId, payrollLineId: await mayasLine(tx) });
    },
    found: ['automatic-transfer', 'move-history'],
  },
  {
    what: 'posts a move to another person’s account',
    does: (tx) => postMove(tx, { toAccountId: company.ids.benAccount }),
    found: ['move-posting'],
  },
  {
    what: 'takes a bill before its day in nobody’s name',
    does: (tx) =>
      sql`UPDATE bill SET status = 'due', moved_at = now()
           WHERE id = ${company.bills.scheduled}`.execute(tx),
    found: ['bill-history'],
  },
  {
    what: 'sends a bill in an admin’s name',
    does: (tx) =>
      sql`UPDATE bill SET status = 'sent', moved_at = now(), moved_by = ${company.ids.admin}
           WHERE id = ${company.bills.due}`.execute(tx),
    found: ['bill-history'],
  },
  {
    what: 'posts a bill that nobody scheduled',
    does: (tx) =>
      forge(tx, {
        kind: 'bill',
        code: 'bill_clearing',
        accountId: company.ids.mayaAccount,
        amountMinor: -1_000n,
      }),
    found: ['bill-posting'],
  },
  {
    what: 'gives a paid bill back',
    does: async (tx) => {
      const { ledgerTransactionId } = await tx
        .selectFrom('bill')
        .select('ledgerTransactionId')
        .where('id', '=', company.bills.paid)
        .executeTakeFirstOrThrow();
      const transactionId = ledgerTransactionId ?? '';
      const reversal = { transactionId, reference: 'FORGED', description: '', actorId: null };
      await reverseAll(tx, [reversal]);
    },
    found: ['bill-return'],
  },
  {
    what: 'enters a payee in a person’s name and schedules a bill to it',
    does: async (tx) => {
      const payeeId = newId();
      await sql`INSERT INTO payee (id, user_id, kind, name, account_type, account_number_encrypted,
                                   last4, routing_number, customer_number, created_at)
                VALUES (${payeeId}, ${company.ids.maya}, 'business', 'Forged', 'checking',
                        '', '0000', '021000021', '', now())`.execute(tx);
      await insertBill(tx, { payeeId });
    },
    found: ['bill-history', 'bill-payee'],
  },
];

test.each(byServer)('the server’s role is found that $what', async ({ does, found }) => {
  expect(await company.finds((tx) => asServer(tx, () => does(tx)))).toEqual(found);
});

test('docs/ledger.md has every case, with the checks that notice it', () => {
  const rows = readDocsTable('### Payments').map(([what, noticed]) => ({
    what,
    found: wordsIn(noticed),
  }));
  const cases = [...PAYMENT_CASES, ...byServer];
  expect(rows).toEqual(cases.map(({ what, found }) => ({ what, found: [...found] })));
});

const MONEY = { code: '23514', constraint: 'person_payment_money' };

test.each([
  [
    'raise a payment',
    (tx: Tx) => sql`UPDATE person_payment SET amount_minor = 1`.execute(tx),
    { code: '42501' },
  ],
  [
    'record more than was posted',
    async (tx: Tx) => {
      const id = newId();
      const transactionId = await transfer(tx, { subjectId: id });
      await insertPayment(tx, { id, transactionId, amountMinor: 2_000n });
    },
    MONEY,
  ],
  [
    'record the posting of another payment',
    (tx: Tx) =>
      sql`INSERT INTO person_payment
          SELECT ${newId()}, 'TXN-FORGED', payer_id, payer_wallet_id, recipient_id,
                 recipient_wallet_id, amount_minor, currency, note, limit_day,
                 ledger_transaction_id, paid_at
            FROM person_payment WHERE id = ${company.payment}`.execute(tx),
    MONEY,
  ],
  [
    'pay from the wallet of another',
    async (tx: Tx) => {
      const id = newId();
      const transactionId = await transfer(tx, { subjectId: id, actorId: company.ids.admin });
      await insertPayment(tx, { id, transactionId, payerId: company.ids.admin });
    },
    { code: '23503', constraint: 'person_payment_payer_wallet_fkey' },
  ],
  [
    'raise a move',
    (tx: Tx) => sql`UPDATE wallet_move SET amount_minor = 1`.execute(tx),
    { code: '42501' },
  ],
  [
    'record a move of more than was posted',
    async (tx: Tx) => {
      const id = newId();
      const transactionId = await postMove(tx, { subjectId: id });
      await insertMove(tx, { id, transactionId, amountMinor: 2_000n });
    },
    { code: '23514', constraint: 'wallet_move_money' },
  ],
  [
    'record a move to another person’s wallet',
    async (tx: Tx) => {
      const id = newId();
      const toAccountId = company.ids.benAccount;
      const transactionId = await postMove(tx, { subjectId: id, toAccountId });
      await insertMove(tx, { id, transactionId, toWalletId: company.ben.wallet.id });
    },
    { code: '23503', constraint: 'wallet_move_to_wallet_fkey' },
  ],
  [
    'raise a bill',
    (tx: Tx) => sql`UPDATE bill SET amount_minor = 1`.execute(tx),
    { code: '42501' },
  ],
  [
    'turn a bill to another payee',
    (tx: Tx) => sql`UPDATE bill SET payee_id = ${newId()}`.execute(tx),
    { code: '42501' },
  ],
  [
    'change a payee',
    (tx: Tx) => sql`UPDATE payee SET account_number_encrypted = ''`.execute(tx),
    { code: '42501' },
  ],
  [
    'schedule more than is held',
    (tx: Tx) => insertBill(tx, { amountMinor: 2_000n }),
    { code: '23514', constraint: 'bill_money' },
  ],
  [
    'schedule a bill to the payee of another',
    async (tx: Tx) => {
      const { id } = await tx
        .selectFrom('payee')
        .select('id')
        .where('userId', '=', company.ids.ben)
        .executeTakeFirstOrThrow();
      await insertBill(tx, { payeeId: id });
    },
    { code: '23503', constraint: 'bill_payee_fkey' },
  ],
  [
    'cancel a bill and keep its money held',
    (tx: Tx) =>
      sql`UPDATE bill SET status = 'cancelled', moved_at = now(), moved_by = user_id
           WHERE id = ${company.bills.scheduled}`.execute(tx),
    { code: '23514', constraint: 'bill_money' },
  ],
  [
    'send a bill in its owner’s name',
    (tx: Tx) =>
      sql`UPDATE bill SET status = 'sent', moved_at = now(), moved_by = user_id
           WHERE id = ${company.bills.due}`.execute(tx),
    { code: '23514', constraint: 'bill_actor' },
  ],
  [
    'pay a bill that was not sent',
    (tx: Tx) => sql`UPDATE bill SET status = 'paid' WHERE id = ${company.bills.due}`.execute(tx),
    { code: '23514', constraint: 'bill_status_change' },
  ],
])('the server’s role cannot %s', async (_what, does, refused) => {
  expect(await company.refusal(does)).toEqual(refused);
});

// The last of all: nothing is refused from here on.
describe('with everything taken away that refuses it', () => {
  beforeAll(() => company.liftGuards());

  test.each(PAYMENT_CASES)('an owner is found who $what', async ({ does, found }) => {
    expect(await company.finds((tx) => does(tx, company))).toEqual(found);
  });
});
