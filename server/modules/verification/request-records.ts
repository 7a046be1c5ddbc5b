import { sql } from 'kysely';
import { instructionsHash } from '#server/modules/deposits/index.ts';
import { faulty } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { leftBankFault, leftBankRecord } from './left-bank-record.ts';
import { changedFacts, historyFindings } from './records.ts';

/** That withdrawals and deposits are what the audit trail recorded when they were asked for. */
export const requestRecordChecks: readonly ScopedCheck[] = [
  {
    name: 'withdrawal-record',
    query: (scope) =>
      faulty({
        id: sql`withdrawal.id`,
        from: sql`withdrawal
          JOIN audit_event AS requested
            ON requested.subject_id = withdrawal.id AND requested.subject_type = 'withdrawal'
           AND requested.action = 'withdrawal.requested'
          ${leftBankRecord('withdrawal', 'withdrawal.completed')}
         CROSS JOIN LATERAL (SELECT ${changedFacts('requested', {
           reference: sql`withdrawal.reference`,
           amountMinor: sql`withdrawal.amount_minor`,
           currency: sql`withdrawal.currency`,
           walletId: sql`withdrawal.wallet_id`,
           holdId: sql`withdrawal.hold_id`,
           bankAccountId: sql`withdrawal.bank_account_id`,
           last4: sql`withdrawal.bank_last4`,
           urgency: sql`withdrawal.urgency`,
         })} AS names) AS changed`,
        where: sql`${scope.withdrawals('withdrawal.id')}`,
        faults: [
          [
            sql`changed.names IS NOT NULL`,
            sql`format('was requested with other values: %s', changed.names)`,
          ],
          leftBankFault('withdrawal'),
        ],
      }),
  },
  {
    name: 'withdrawal-history',
    query: (scope) =>
      historyFindings({
        subjectType: 'withdrawal',
        noun: 'withdrawal',
        where: scope.withdrawals,
        actions: [
          ...['withdrawal.requested', 'withdrawal.approved', 'withdrawal.processing'],
          ...['withdrawal.completed', 'withdrawal.cancelled', 'withdrawal.rejected'],
          ...['withdrawal.stopped', 'withdrawal.returned'],
        ],
        shown: sql`
          SELECT withdrawal.id, withdrawal.user_id AS owner_id, act.*
            FROM withdrawal
            LEFT JOIN ledger_transaction AS reversal
              ON reversal.reverses_id = withdrawal.ledger_transaction_id
           CROSS JOIN LATERAL (VALUES
             ('withdrawal.requested', requested_by IS NOT NULL, true,
              coalesce(requested_by, user_id), requested_at, NULL::uuid),
             ('withdrawal.approved', true,
              approved_by IS NOT NULL OR status IN ('approved', 'processing', 'completed', 'returned'),
              approved_by, approved_at, NULL),
             ('withdrawal.processing', true,
              processing_by IS NOT NULL OR status IN ('processing', 'completed', 'returned'),
              processing_by, processing_at, NULL),
             ('withdrawal.completed', true,
              completed_by IS NOT NULL OR status IN ('completed', 'returned'),
              completed_by, completed_at, ledger_transaction_id),
             ('withdrawal.cancelled', false, status = 'cancelled', closed_by, closed_at, NULL),
             ('withdrawal.rejected', true, status = 'rejected' AND approved_by IS NULL, closed_by,
              closed_at, NULL),
             ('withdrawal.stopped', true, status = 'rejected' AND approved_by IS NOT NULL, closed_by,
              closed_at, NULL),
             ('withdrawal.returned', true,
              status = 'returned' OR (closed_by IS NOT NULL AND status NOT IN ('cancelled', 'rejected')),
              closed_by, closed_at, reversal.id)
           ) AS act (action, is_decision, is_shown, actor_id, at, transaction_id)
           WHERE act.is_shown AND ${scope.withdrawals('withdrawal.id')}`,
      }),
  },
  {
    name: 'deposit-record',
    query: (scope) =>
      faulty({
        id: sql`deposit.id`,
        from: sql`deposit
          JOIN audit_event AS requested
            ON requested.subject_id = deposit.id AND requested.subject_type = 'deposit'
           AND requested.action = 'deposit.requested'
         CROSS JOIN LATERAL (SELECT ${changedFacts('requested', {
           reference: sql`deposit.reference`,
           method: sql`deposit.method`,
           amountMinor: sql`deposit.amount_minor`,
           feeMinor: sql`deposit.fee_minor`,
           currency: sql`deposit.currency`,
           walletId: sql`deposit.wallet_id`,
           limitDay: sql`to_char(deposit.limit_day, 'YYYY-MM-DD')`,
           instructionsHash: instructionsHash('deposit'),
         })} AS names) AS changed`,
        where: sql`${scope.deposits('deposit.id')}`,
        faults: [
          [
            sql`changed.names IS NOT NULL`,
            sql`format('was requested with other values: %s', changed.names)`,
          ],
        ],
      }),
  },
  {
    name: 'deposit-history',
    query: (scope) =>
      historyFindings({
        subjectType: 'deposit',
        noun: 'deposit',
        where: scope.deposits,
        actions: [
          ...['deposit.requested', 'deposit.approved', 'deposit.rejected', 'deposit.cancelled'],
        ],
        shown: sql`
          SELECT deposit.id, deposit.user_id AS owner_id, act.*
            FROM deposit
           CROSS JOIN LATERAL (VALUES
             ('deposit.requested', false, true, user_id, requested_at, NULL::uuid),
             ('deposit.approved', true, status = 'approved', processed_by, decided_at,
              ledger_transaction_id),
             ('deposit.rejected', true,
              status = 'rejected'
              OR (processed_by IS NOT NULL AND status NOT IN ('approved', 'cancelled')),
              processed_by, decided_at, NULL),
             ('deposit.cancelled', false, status = 'cancelled', processed_by, decided_at, NULL)
           ) AS act (action, is_decision, is_shown, actor_id, at, transaction_id)
           WHERE act.is_shown AND ${scope.deposits('deposit.id')}`,
      }),
  },
];
