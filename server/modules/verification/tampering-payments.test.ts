import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { placeHold, post, reverse } from '#server/modules/ledger/index.ts';
import { wordsIn, readDocsTable } from '#test/docs-table.ts';
import { asServer, forge, openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

interface Case {
  what: string;
  does: (tx: Tx) => Promise<unknown>;
  /** Exactly the checks that find it. */
  found: readonly string[];
}

/** Acts of an owner of the database, with everything taken away that refuses them. */
const byOwner: Case[] = [
  {
    what: 'raises a payment to a person, and its posting',
    does: (tx) =>
      sql`WITH paid AS (UPDATE person_payment SET amount_minor = amount_minor * 20
                         WHERE id = ${company.payment} RETURNING ledger_transaction_id)
          UPDATE ledger_entry SET amount = amount * 20 FROM paid
           WHERE transaction_id = ledger_transaction_id`.execute(tx),
    found: ['payment-record'],
  },
  {
    what: 'turns a payment to a person around',
    does: (tx) =>
      sql`UPDATE person_payment
             SET (payer_id, payer_wallet_id, recipient_id, recipient_wallet_id) =
                 (recipient_id, recipient_wallet_id, payer_id, payer_wallet_id)
           WHERE id = ${company.payment}`.execute(tx),
    found: ['payment-history', 'payment-posting', 'payment-record'],
  },
  {
    what: 'deletes a payment to a person',
    does: (tx) => sql`DELETE FROM person_payment WHERE id = ${company.payment}`.execute(tx),
    found: ['payment-history', 'payment-posting'],
  },
  {
    what: 'deletes the record of a payment to a person',
    does: (tx) => sql`DELETE FROM audit_event WHERE subject_id = ${company.payment}`.execute(tx),
    found: ['payment-history'],
  },
  {
    what: 'raises a move between own accounts, and its posting',
    does: (tx) =>
      sql`WITH moved AS (UPDATE wallet_move SET amount_minor = amount_minor * 20
                          WHERE id = ${company.move} RETURNING ledger_transaction_id)
          UPDATE ledger_entry SET amount = amount * 20 FROM moved
           WHERE transaction_id = ledger_transaction_id`.execute(tx),
    found: ['move-record'],
  },
  {
    what: 'turns a move between own accounts around',
    does: (tx) =>
      sql`UPDATE wallet_move
             SET (from_wallet_id, to_wallet_id) = (to_wallet_id, from_wallet_id)
           WHERE id = ${company.move}`.execute(tx),
    found: ['move-posting', 'move-record'],
  },
  {
    what: 'deletes a move between own accounts',
    does: (tx) => sql`DELETE FROM wallet_move WHERE id = ${company.move}`.execute(tx),
    found: ['move-history', 'move-posting'],
  },
  {
    what: 'deletes a run of automatic transfers',
    does: async (tx) => {
      const { lineId } = company.automatic;
      await sql`DELETE FROM automatic_transfer WHERE line_id = ${lineId}`.execute(tx);
      await sql`DELETE FROM transfer_run WHERE line_id = ${lineId}`.execute(tx);
    },
    found: ['automatic-transfer', 'transfer-run'],
  },
  {
    what: 'raises an automatic transfer, its move and its posting',
    does: async (tx) => {
      const { move } = company.automatic;
      await sql`UPDATE automatic_transfer SET amount_minor = amount_minor * 2, wanted_minor = wanted_minor * 2
                 WHERE wallet_move_id = ${move}`.execute(tx);
      await sql`WITH moved AS (UPDATE wallet_move SET amount_minor = amount_minor * 2
                                WHERE id = ${move} RETURNING ledger_transaction_id)
                UPDATE ledger_entry SET amount = amount * 2 FROM moved
                 WHERE transaction_id = ledger_transaction_id`.execute(tx);
    },
    found: ['move-record', 'transfer-run'],
  },
  {
    what: 'raises a scheduled bill',
    does: (tx) =>
      sql`UPDATE bill SET amount_minor = amount_minor * 20
           WHERE id = ${company.bills.scheduled}`.execute(tx),
    found: ['bill-hold', 'bill-record'],
  },
  {
    what: 'raises a paid bill, its posting and what was held for it',
    does: (tx) =>
      sql`WITH paid AS (UPDATE bill SET amount_minor = amount_minor * 20
                         WHERE id = ${company.bills.paid}
                     RETURNING hold_id, ledger_transaction_id),
               held AS (UPDATE ledger_hold SET amount = amount * 20 FROM paid WHERE id = hold_id)
          UPDATE ledger_entry SET amount = amount * 20 FROM paid
           WHERE transaction_id = ledger_transaction_id`.execute(tx),
    found: ['bill-record'],
  },
  {
    what: 'turns a bill to another payee',
    does: (tx) =>
      sql`UPDATE bill SET (payee_id, payee_name, payee_last4) =
                 (SELECT id, name, last4 FROM payee WHERE user_id = bill.user_id AND NOT is_saved)
           WHERE id = ${company.bills.due}`.execute(tx),
    found: ['bill-record'],
  },
  {
    what: 'changes the account of a payee',
    does: (tx) =>
      sql`UPDATE payee SET account_number_encrypted = sha256(account_number_encrypted)
           WHERE id = (SELECT payee_id FROM bill WHERE id = ${company.bills.due})`.execute(tx),
    found: ['bill-payee'],
  },
  {
    what: 'takes the mark of a returned bill from its payee',
    does: (tx) =>
      sql`UPDATE payee SET returned_bill_id = NULL
           WHERE returned_bill_id = ${company.bills.returned}`.execute(tx),
    found: ['bill-payee-return'],
  },
  {
    what: 'marks a payee whom the bank sent nothing back from',
    does: (tx) =>
      sql`UPDATE payee SET returned_bill_id = ${company.bills.returned}
           WHERE id = (SELECT payee_id FROM bill WHERE id = ${company.bills.due})`.execute(tx),
    found: ['bill-payee-return'],
  },
  {
    what: 'hides that a bill was returned',
    does: (tx) =>
      sql`UPDATE bill SET status = 'paid'
           WHERE id = ${company.bills.returned}`.execute(tx),
    found: ['bill-history', 'bill-payee-return', 'bill-return'],
  },
  {
    what: 'gives a cancelled bill its hold back',
    does: (tx) =>
      sql`UPDATE ledger_hold SET state = 'held'
           WHERE id = (SELECT hold_id FROM bill WHERE id = ${company.bills.cancelled})`.execute(tx),
    found: ['bill-hold'],
  },
  {
    what: 'raises a standing bill',
    does: (tx) =>
      sql`UPDATE standing_bill SET amount_minor = amount_minor * 20
           WHERE id = ${company.standingBill}`.execute(tx),
    found: ['bill-standing', 'standing-bill-record'],
  },
  {
    what: 'deletes who set up a standing bill',
    does: (tx) =>
      sql`DELETE FROM audit_event WHERE subject_id = ${company.standingBill}`.execute(tx),
    found: ['bill-standing', 'standing-bill-record'],
  },
  {
    what: 'deletes a scheduled bill',
    does: (tx) => sql`DELETE FROM bill WHERE id = ${company.bills.scheduled}`.execute(tx),
    found: ['bill-history', 'withdrawal-hold'],
  },
  {
    what: 'deletes a paid bill and its hold',
    does: (tx) =>
      sql`WITH gone AS (DELETE FROM bill WHERE id = ${company.bills.paid} RETURNING hold_id)
          DELETE FROM ledger_hold USING gone WHERE id = hold_id`.execute(tx),
    found: ['bill-history', 'bill-posting'],
  },
];

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
      await reverse(tx, reversal);
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
  const cases = [...byOwner, ...byServer];
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

  test.each(byOwner)('an owner is found who $what', async ({ does, found }) => {
    expect(await company.finds(does)).toEqual(found);
  });
});

const FORGED = { reference: 'TXN-FORGED', amountMinor: 1_000n };

/** Posts 1,000 cents from Maya to Ben. */
async function transfer(
  tx: Tx,
  { subjectId, actorId = company.ids.maya }: { subjectId?: string; actorId?: string },
): Promise<string> {
  const [posted] = await post(tx, [
    {
      kind: 'transfer',
      reference: FORGED.reference,
      description: '',
      subjectId: subjectId ?? null,
      actorId,
      entries: [
        { accountId: company.ids.mayaAccount, amountMinor: -FORGED.amountMinor },
        { accountId: company.ids.benAccount, amountMinor: FORGED.amountMinor },
      ],
    },
  ]);
  return posted?.id ?? '';
}

/** Posts 1,000 cents from Maya's salary wallet to her savings. */
async function postMove(
  tx: Tx,
  {
    subjectId,
    toAccountId,
    actorId = company.ids.maya,
  }: { subjectId?: string; toAccountId?: string; actorId?: string | null },
): Promise<string> {
  const savings = await savingsOf(tx);
  const [posted] = await post(tx, [
    {
      kind: 'move',
      reference: FORGED.reference,
      description: '',
      subjectId: subjectId ?? null,
      actorId,
      entries: [
        { accountId: company.ids.mayaAccount, amountMinor: -FORGED.amountMinor },
        { accountId: toAccountId ?? savings.ledgerAccountId, amountMinor: FORGED.amountMinor },
      ],
    },
  ]);
  return posted?.id ?? '';
}

/** A line that was paid into Maya's wallet. */
async function mayasLine(tx: Tx): Promise<string> {
  const { id } = await tx
    .selectFrom('payrollLine')
    .select('id')
    .where('walletId', '=', company.maya.wallet.id)
    .where('status', '=', 'processed')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

function savingsOf(tx: Tx): Promise<{ id: string; ledgerAccountId: string }> {
  return tx
    .selectFrom('wallet')
    .select(['id', 'ledgerAccountId'])
    .where('userId', '=', company.ids.maya)
    .where('type', '=', 'savings')
    .executeTakeFirstOrThrow();
}

async function insertMove(
  tx: Tx,
  move: {
    id: string;
    transactionId: string;
    amountMinor?: bigint;
    toWalletId?: string;
    payrollLineId?: string;
  },
): Promise<void> {
  await sql`
    INSERT INTO wallet_move (id, reference, user_id, from_wallet_id, to_wallet_id, amount_minor,
                             currency, ledger_transaction_id, moved_at, payroll_line_id)
    VALUES (${move.id}, ${FORGED.reference}, ${company.ids.maya}, ${company.maya.wallet.id},
            ${move.toWalletId ?? (await savingsOf(tx)).id},
            ${move.amountMinor ?? FORGED.amountMinor}, 'USD', ${move.transactionId}, now(),
            ${move.payrollLineId ?? null})`.execute(tx);
}

function insertPayment(
  tx: Tx,
  payment: { id: string; transactionId: string; amountMinor?: bigint; payerId?: string },
): Promise<unknown> {
  return sql`
    INSERT INTO person_payment (id, reference, payer_id, payer_wallet_id, recipient_id,
                                recipient_wallet_id, amount_minor, currency, note, limit_day,
                                ledger_transaction_id, paid_at)
    VALUES (${payment.id}, ${FORGED.reference}, ${payment.payerId ?? company.ids.maya},
            ${company.maya.wallet.id}, ${company.ids.ben}, ${company.ben.wallet.id},
            ${payment.amountMinor ?? FORGED.amountMinor}, 'USD', '', current_date,
            ${payment.transactionId}, now())`.execute(tx);
}

/** A bill of 1,000 cents in Maya's name, with 1,000 held for it; but for what is given. */
async function insertBill(
  tx: Tx,
  { payeeId, amountMinor = 1_000n }: { payeeId?: string; amountMinor?: bigint },
): Promise<void> {
  const reference = 'BP-FORGED';
  const holdId = await placeHold(tx, {
    accountId: company.ids.mayaAccount,
    amountMinor: 1_000n,
    reference,
  });
  await sql`
    INSERT INTO bill (id, reference, user_id, wallet_id, payee_id, payee_name, payee_last4,
                      amount_minor, currency, memo, pay_on, hold_id, requested_at, updated_at)
    SELECT ${newId()}, ${reference}, ${company.ids.maya}, ${company.maya.wallet.id}, id,
           coalesce(name, ''), coalesce(last4, ''), ${amountMinor}, 'USD', '', current_date,
           ${holdId}, now(), now()
      FROM payee
     WHERE id = coalesce(${payeeId ?? null}::uuid,
                         (SELECT payee_id FROM bill WHERE id = ${company.bills.due}))`.execute(tx);
}
