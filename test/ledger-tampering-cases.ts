import { withTx } from '#server/db/tx.ts';
import { post } from '#server/modules/ledger/index.ts';
import { transfer } from './ledger-postings.ts';
import { raisePayment } from './ledger-tampering.ts';
import type { Victim } from './ledger-tampering.ts';

export interface TamperingCase {
  /** Description, as in the table of docs/ledger.md. */
  what: string;
  tamper: (victim: Victim) => Promise<unknown>;
  /** All checks that detect it; empty where the table says why none does. */
  checks: readonly string[];
}

const audit = (set: string) => `UPDATE audit_event SET ${set} WHERE id = 2`;

/** Changes of what is sealed: rows of the ledger, accounts, the audit trail. */
export const ROW_CASES: readonly TamperingCase[] = [
  // Rows of the ledger.
  {
    what: 'A sealed payment is raised, with every sum that depends on it',
    tamper: (v) => v.tamper(...raisePayment(v, v.paid, 1_000)),
    checks: ['sealed-transaction'],
  },
  {
    what: 'Kind, reference, person or time of a sealed transaction',
    tamper: (v) =>
      v.tamper(`UPDATE ledger_transaction SET actor_id = gen_random_uuid() WHERE id = '${v.paid}'`),
    checks: ['sealed-transaction'],
  },
  {
    what: 'A payment is added, with every sum, and not put in line to be sealed',
    tamper: async (v) => {
      await withTx(v.db, (tx) => post(tx, [transfer(v.funding, v.wallet, 9n)]));
      await v.tamper(`DELETE FROM ledger_unsealed WHERE transaction_id <> '${v.waiting}'`);
    },
    checks: ['transaction-sealed-or-waiting'],
  },
  {
    what: 'A seal is forged for it, in a block that does not exist',
    tamper: async (v) => {
      await withTx(v.db, (tx) => post(tx, [transfer(v.funding, v.wallet, 9n)]));
      await v.tamper(
        `INSERT INTO ledger_seal (transaction_id, height, position, salt, leaf)
         SELECT transaction_id, 99, 0, decode(repeat('00', 16), 'hex'), sha256('x')
           FROM ledger_unsealed WHERE transaction_id <> '${v.waiting}'`,
        `DELETE FROM ledger_unsealed WHERE transaction_id <> '${v.waiting}'`,
      );
    },
    checks: ['sealed-transaction'],
  },
  {
    what: 'Balance of an account',
    tamper: (v) =>
      v.tamper(`UPDATE ledger_account SET posted = posted + 1 WHERE id = '${v.wallet}'`),
    checks: ['account-balance', 'zero-sum-of-all-accounts'],
  },
  {
    what: 'Amount or state of a hold',
    tamper: (v) => v.tamper('UPDATE ledger_hold SET amount = amount - 1'),
    checks: ['held-amount'],
  },
  {
    what: 'Monthly totals',
    tamper: (v) =>
      v.tamper(`UPDATE ledger_total SET credit = credit + 1 WHERE account_id = '${v.wallet}'`),
    checks: ['monthly-total'],
  },
  {
    what: 'Description or metadata of a transaction',
    tamper: (v) => v.tamper("UPDATE ledger_transaction SET description = 'Forgotten'"),
    checks: [],
  },
  {
    what: 'A payment is raised before it is sealed, with every sum',
    tamper: async (v) => {
      await v.tamper(...raisePayment(v, v.waiting, 1_000));
      await v.seal();
    },
    checks: [],
  },
  {
    what: "A posting by the ledger's own functions that no business stands behind",
    tamper: (v) => withTx(v.db, (tx) => post(tx, [transfer(v.funding, v.wallet, 5_000_000n)])),
    checks: [],
  },
  // Accounts.
  {
    what: 'Owner of an account',
    tamper: (v) =>
      v.tamper(`UPDATE ledger_account SET owner_id = gen_random_uuid() WHERE id = '${v.wallet}'`),
    checks: ['sealed-account'],
  },
  {
    what: 'Limit of an account',
    tamper: (v) =>
      v.tamper(`UPDATE ledger_account SET min_available = -1000000 WHERE id = '${v.wallet}'`),
    checks: ['sealed-account'],
  },
  {
    what: 'An account is added and not put in line to be sealed',
    tamper: (v) =>
      v.tamper(`INSERT INTO ledger_account (id, kind, owner_id, currency, min_available)
                VALUES (gen_random_uuid(), 'salary', gen_random_uuid(), 'USD', -1000000)`),
    checks: ['account-sealed-or-waiting'],
  },
  // The audit trail.
  {
    what: 'Who did what, when, to what, in an audit event',
    tamper: (v) => v.tamper(audit('actor_id = gen_random_uuid()')),
    checks: ['sealed-audit'],
  },
  {
    what: 'Details of an audit event',
    tamper: (v) => v.tamper(audit(`details = '{"amount":"1"}'`)),
    checks: ['sealed-audit'],
  },
  {
    what: 'An audit event is deleted',
    tamper: (v) => v.tamper('DELETE FROM audit_event WHERE id = 2'),
    checks: ['audit-sealed-or-waiting', 'sealed-audit'],
  },
  {
    what: 'An audit event is deleted with its seal',
    tamper: (v) =>
      v.tamper(
        'DELETE FROM audit_event WHERE id = 2',
        'DELETE FROM audit_seal WHERE audit_event_id = 2',
      ),
    checks: ['block-content'],
  },
  {
    what: 'An audit event is put where a number is missing',
    tamper: (v) =>
      v.tamper(`INSERT INTO audit_event (id, at, actor_role, action, subject_type)
                OVERRIDING SYSTEM VALUE
                SELECT 4, at, 'system', 'forged', 'test' FROM audit_event WHERE id = 3`),
    checks: ['audit-sealed-or-waiting'],
  },
  {
    what: 'The same, and it is put in line to be sealed',
    tamper: async (v) => {
      await v.asOwner(`INSERT INTO audit_event (id, at, actor_role, action, subject_type)
                       OVERRIDING SYSTEM VALUE
                       SELECT 4, at, 'system', 'forged', 'test' FROM audit_event WHERE id = 3`);
      await v.seal();
    },
    checks: ['audit-order'],
  },
  {
    what: 'An audit event is dated back',
    tamper: async (v) => {
      await v.asOwner(`INSERT INTO audit_event (at, actor_role, action, subject_type)
                       VALUES (now() - interval '1 day', 'system', 'forged', 'test')`);
      await v.seal();
    },
    checks: ['audit-order'],
  },
];

/** Changes of the database around them. */
export const DATABASE_CASES: readonly TamperingCase[] = [
  // The database itself.
  {
    what: 'A trigger is switched off',
    tamper: (v) => v.asOwner('ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_keep'),
    checks: ['database-catalog'],
  },
  {
    what: 'A function does something else',
    tamper: (v) =>
      v.asOwner(`CREATE OR REPLACE FUNCTION ledger_refuse_write() RETURNS trigger
                 LANGUAGE plpgsql SET search_path = public, pg_temp AS 'BEGIN RETURN NULL; END'`),
    checks: ['database-catalog'],
  },
  {
    what: 'A withdrawal may be completed without a payout',
    tamper: (v) =>
      v.asOwner(`ALTER TABLE thing_move DISABLE TRIGGER thing_move_facts;
                 UPDATE thing_move SET money = 'released' WHERE act = 'complete';
                 ALTER TABLE thing_move ENABLE TRIGGER thing_move_facts`),
    checks: ['database-catalog'],
  },
  {
    what: 'A function, trigger, rule, view, operator or schema is added',
    tamper: (v) =>
      v.asOwner(
        `CREATE FUNCTION pay_me() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'SELECT'`,
        'CREATE RULE lose AS ON DELETE TO outbox DO INSTEAD NOTHING',
        'CREATE VIEW money AS SELECT * FROM ledger_entry',
        'CREATE SCHEMA elsewhere',
      ),
    checks: ['database-catalog'],
  },
  {
    what: 'A constraint or unique index is dropped, and a row put in that it refused',
    tamper: (v) =>
      v.asOwner(
        'ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_owned_has_limit',
        'ALTER TABLE ledger_account DISABLE TRIGGER USER',
        `UPDATE ledger_account SET min_available = NULL WHERE id = '${v.wallet}'`,
        'ALTER TABLE ledger_account ENABLE TRIGGER USER',
      ),
    checks: ['database-catalog', 'least-available', 'sealed-account'],
  },
  {
    what: 'A right is granted',
    tamper: (v) => v.asOwner('GRANT UPDATE (amount) ON ledger_entry TO purser_app'),
    checks: ['database-catalog'],
  },
  {
    what: 'Rights are granted on what is made later',
    tamper: (v) => v.asOwner('ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO purser_app'),
    checks: ['database-catalog'],
  },
  {
    what: "A schema of the server's or the owner's name stands in for the books",
    tamper: (v) =>
      v.asOwner(
        'CREATE SCHEMA purser_owner',
        'CREATE TABLE purser_owner.ledger_account AS SELECT * FROM public.ledger_account',
        'ALTER TABLE public.ledger_account DISABLE TRIGGER USER',
        `UPDATE public.ledger_account SET posted = posted + 1 WHERE id = '${v.wallet}'`,
        'ALTER TABLE public.ledger_account ENABLE TRIGGER USER',
      ),
    checks: ['account-balance', 'database-catalog', 'zero-sum-of-all-accounts'],
  },
  {
    what: 'Row security hides rows',
    tamper: (v) =>
      v.asOwner(
        'ALTER TABLE ledger_hold ENABLE ROW LEVEL SECURITY',
        'ALTER TABLE ledger_hold FORCE ROW LEVEL SECURITY',
        'CREATE POLICY none ON ledger_hold USING (false)',
      ),
    checks: ['captured-hold', 'counts', 'database-catalog', 'held-amount'],
  },
  {
    what: 'A view takes the place of a table',
    tamper: (v) =>
      v.asOwner(
        'ALTER TABLE ledger_total RENAME TO ledger_total_real',
        'CREATE VIEW ledger_total AS SELECT * FROM ledger_total_real',
      ),
    checks: ['database-catalog'],
  },
  {
    what: 'A role or the database is given a setting that changes names or triggers',
    tamper: (v) => v.asOwner(`ALTER DATABASE ${v.name} SET search_path = elsewhere, public`),
    checks: ['database-catalog'],
  },
  {
    what: 'A table of the books is dropped',
    tamper: (v) => v.asOwner('DROP TABLE ledger_block CASCADE'),
    checks: [
      'block-chain',
      'counts',
      'database-catalog',
      'exported-root',
      'sealed-account',
      'sealed-audit',
      'sealed-transaction',
    ],
  },
  {
    what: 'The list of migrations',
    tamper: (v) => v.asOwner("DELETE FROM purser_migration WHERE name LIKE '0300_07%'"),
    checks: ['database-catalog'],
  },
];
