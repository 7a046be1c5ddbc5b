import { sql } from 'kysely';
import type { ScopedCheck } from './check.ts';
import { historyFindings } from './records.ts';

/** That withdrawals and deposits are what the audit trail recorded when they were asked for. */
export const requestRecordChecks: readonly ScopedCheck[] = [
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
  {
    name: 'bill-history',
    query: (scope) =>
      historyFindings({
        subjectType: 'bill',
        noun: 'bill',
        where: scope.bills,
        actions: [
          ...['bill.scheduled', 'bill.taken', 'bill.sent', 'bill.paid', 'bill.cancelled'],
          ...['bill.stopped', 'bill.returned'],
        ],
        shown: sql`
          SELECT bill.id, bill.user_id AS owner_id, act.*
            FROM bill
            LEFT JOIN ledger_transaction AS reversal
              ON reversal.reverses_id = bill.ledger_transaction_id
           CROSS JOIN LATERAL (VALUES
             ('bill.scheduled', false, true, CASE WHEN standing_bill_id IS NULL THEN user_id END,
              requested_at, NULL::uuid),
             ('bill.taken', false, taken_at IS NOT NULL OR status NOT IN ('scheduled', 'cancelled'),
              NULL::uuid, taken_at, NULL),
             ('bill.sent', true, sent_by IS NOT NULL OR status IN ('sent', 'paid', 'returned'),
              sent_by, sent_at, NULL),
             ('bill.paid', true, paid_by IS NOT NULL OR status IN ('paid', 'returned'),
              paid_by, paid_at, ledger_transaction_id),
             ('bill.cancelled', false, status = 'cancelled', closed_by, closed_at, NULL),
             ('bill.stopped', true, status = 'rejected', closed_by, closed_at, NULL),
             ('bill.returned', true,
              status = 'returned' OR (closed_by IS NOT NULL AND status NOT IN ('cancelled', 'rejected')),
              closed_by, closed_at, reversal.id)
           ) AS act (action, is_decision, is_shown, actor_id, at, transaction_id)
           WHERE act.is_shown AND ${scope.bills('bill.id')}`,
      }),
  },
  {
    name: 'payment-history',
    query: (scope) =>
      historyFindings({
        subjectType: 'person_payment',
        noun: 'payment',
        where: scope.personPayments,
        actions: ['person_payment.made'],
        shown: sql`
          SELECT id, payer_id AS owner_id, 'person_payment.made' AS action, false AS is_decision,
                 payer_id AS actor_id, paid_at AS at, ledger_transaction_id AS transaction_id
            FROM person_payment
           WHERE ${scope.personPayments('id')}`,
      }),
  },
  {
    name: 'move-history',
    query: (scope) =>
      historyFindings({
        subjectType: 'wallet_move',
        noun: 'move',
        where: scope.walletMoves,
        actions: ['wallet_move.made'],
        shown: sql`
          SELECT id, user_id AS owner_id, 'wallet_move.made' AS action, false AS is_decision,
                 user_id AS actor_id, moved_at AS at, ledger_transaction_id AS transaction_id
            FROM wallet_move
           WHERE ${scope.walletMoves('id')}`,
      }),
  },
];
