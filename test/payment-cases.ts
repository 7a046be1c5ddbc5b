import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import type { TamperedCompany } from './tampered-company.ts';

interface PaymentCase {
  what: string;
  does: (tx: Tx, company: TamperedCompany) => Promise<unknown>;
  /** Exactly the checks that find it. */
  found: readonly string[];
}

/** Acts of an owner of the database, with everything taken away that refuses them. */
export const PAYMENT_CASES: readonly PaymentCase[] = [
  {
    what: 'raises a payment to a person, and its posting',
    does: (tx, company) =>
      sql`WITH paid AS (UPDATE person_payment SET amount_minor = amount_minor * 20
                         WHERE id = ${company.payment} RETURNING ledger_transaction_id)
          UPDATE ledger_entry SET amount = amount * 20 FROM paid
           WHERE transaction_id = ledger_transaction_id`.execute(tx),
    found: ['payment-record'],
  },
  {
    what: 'turns a payment to a person around',
    does: (tx, company) =>
      sql`UPDATE person_payment
             SET (payer_id, payer_wallet_id, recipient_id, recipient_wallet_id) =
                 (recipient_id, recipient_wallet_id, payer_id, payer_wallet_id)
           WHERE id = ${company.payment}`.execute(tx),
    found: ['payment-history', 'payment-posting', 'payment-record'],
  },
  {
    what: 'deletes a payment to a person',
    does: (tx, company) =>
      sql`DELETE FROM person_payment WHERE id = ${company.payment}`.execute(tx),
    found: ['payment-history', 'payment-posting'],
  },
  {
    what: 'deletes the record of a payment to a person',
    does: (tx, company) =>
      sql`DELETE FROM audit_event WHERE subject_id = ${company.payment}`.execute(tx),
    found: ['payment-history'],
  },
  {
    what: 'raises a move between own accounts, and its posting',
    does: (tx, company) =>
      sql`WITH moved AS (UPDATE wallet_move SET amount_minor = amount_minor * 20
                          WHERE id = ${company.move} RETURNING ledger_transaction_id)
          UPDATE ledger_entry SET amount = amount * 20 FROM moved
           WHERE transaction_id = ledger_transaction_id`.execute(tx),
    found: ['move-record'],
  },
  {
    what: 'turns a move between own accounts around',
    does: (tx, company) =>
      sql`UPDATE wallet_move
             SET (from_wallet_id, to_wallet_id) = (to_wallet_id, from_wallet_id)
           WHERE id = ${company.move}`.execute(tx),
    found: ['move-posting', 'move-record'],
  },
  {
    what: 'deletes a move between own accounts',
    does: (tx, company) => sql`DELETE FROM wallet_move WHERE id = ${company.move}`.execute(tx),
    found: ['move-history', 'move-posting'],
  },
  {
    what: 'deletes a run of automatic transfers',
    does: async (tx, company) => {
      const { lineId } = company.automatic;
      await sql`DELETE FROM automatic_transfer WHERE line_id = ${lineId}`.execute(tx);
      await sql`DELETE FROM transfer_run WHERE line_id = ${lineId}`.execute(tx);
    },
    found: ['automatic-transfer', 'transfer-run'],
  },
  {
    what: 'raises an automatic transfer, its move and its posting',
    does: async (tx, company) => {
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
    does: (tx, company) =>
      sql`UPDATE bill SET amount_minor = amount_minor * 20
           WHERE id = ${company.bills.scheduled}`.execute(tx),
    found: ['bill-hold', 'bill-record'],
  },
  {
    what: 'raises a paid bill, its posting and what was held for it',
    does: (tx, company) =>
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
    does: (tx, company) =>
      sql`UPDATE bill SET (payee_id, payee_name, payee_last4) =
                 (SELECT id, name, last4 FROM payee WHERE user_id = bill.user_id AND NOT is_saved)
           WHERE id = ${company.bills.due}`.execute(tx),
    found: ['bill-record'],
  },
  {
    what: 'changes the account of a payee',
    does: (tx, company) =>
      sql`UPDATE payee SET account_number_encrypted = sha256(account_number_encrypted)
           WHERE id = (SELECT payee_id FROM bill WHERE id = ${company.bills.due})`.execute(tx),
    found: ['bill-payee'],
  },
  {
    what: 'takes the mark of a returned bill from its payee',
    does: (tx, company) =>
      sql`UPDATE payee SET returned_bill_id = NULL
           WHERE returned_bill_id = ${company.bills.returned}`.execute(tx),
    found: ['bill-payee-return'],
  },
  {
    what: 'marks a payee whom the bank sent nothing back from',
    does: (tx, company) =>
      sql`UPDATE payee SET returned_bill_id = ${company.bills.returned}
           WHERE id = (SELECT payee_id FROM bill WHERE id = ${company.bills.due})`.execute(tx),
    found: ['bill-payee-return'],
  },
  {
    what: 'hides that a bill was returned',
    does: (tx, company) =>
      sql`UPDATE bill SET status = 'paid'
           WHERE id = ${company.bills.returned}`.execute(tx),
    found: ['bill-history', 'bill-payee-return', 'bill-return'],
  },
  {
    what: 'gives a cancelled bill its hold back',
    does: (tx, company) =>
      sql`UPDATE ledger_hold SET state = 'held'
           WHERE id = (SELECT hold_id FROM bill WHERE id = ${company.bills.cancelled})`.execute(tx),
    found: ['bill-hold'],
  },
  {
    what: 'raises a standing bill',
    does: (tx, company) =>
      sql`UPDATE standing_bill SET amount_minor = amount_minor * 20
           WHERE id = ${company.standingBill}`.execute(tx),
    found: ['bill-standing', 'standing-bill-record'],
  },
  {
    what: 'deletes who set up a standing bill',
    does: (tx, company) =>
      sql`DELETE FROM audit_event WHERE subject_id = ${company.standingBill}`.execute(tx),
    found: ['bill-standing', 'standing-bill-record'],
  },
  {
    what: 'deletes a scheduled bill',
    does: (tx, company) => sql`DELETE FROM bill WHERE id = ${company.bills.scheduled}`.execute(tx),
    found: ['bill-history', 'withdrawal-hold'],
  },
  {
    what: 'deletes a paid bill and its hold',
    does: (tx, company) =>
      sql`WITH gone AS (DELETE FROM bill WHERE id = ${company.bills.paid} RETURNING hold_id)
          DELETE FROM ledger_hold USING gone WHERE id = hold_id`.execute(tx),
    found: ['bill-history', 'bill-posting'],
  },
];
