import { sql } from 'kysely';
import { eventOf } from '#contract/things/thing.ts';
import { payrollLine } from '#contract/things/payroll-line.ts';
import { faulty, listed, unequal, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { MOVEMENTS } from './movements.ts';
import { changed, fact, isoTime } from './records.ts';

const EVENTS = listed([eventOf(payrollLine, 'reverse'), eventOf(payrollLine, 'reversePart')]);

/** SQL of the reference of a line `thing` of the batch `batch`. */
const LINE_REFERENCE = MOVEMENTS.find(({ name }) => name === 'payroll')?.reference ?? '';

/** SQL of a reversal `reversal` of a line `thing`, with its batch and wallet. */
const OF_LINE = `JOIN payroll_line AS thing ON thing.id = reversal.line_id
  JOIN payroll_batch AS batch ON batch.id = thing.batch_id
  LEFT JOIN wallet ON wallet.id = thing.wallet_id`;

/** The checks that money of a payroll was taken back as recorded, and by whom it may be. */
export const reversalChecks: readonly ScopedCheck[] = [
  {
    name: 'payroll-reversal',
    query: (scope) =>
      union(
        faulty({
          id: 'reversal.id',
          from: `payroll_reversal AS reversal ${OF_LINE}
            LEFT JOIN ledger_transaction AS posting ON posting.id = reversal.ledger_transaction_id
            LEFT JOIN ledger_entry AS entry ON entry.transaction_id = posting.id
                 AND entry.account_id = wallet.ledger_account_id
            LEFT JOIN ledger_account AS funding
              ON funding.code = 'payroll_funding' AND funding.currency = batch.currency
            LEFT JOIN ledger_entry AS counter ON counter.transaction_id = posting.id
                 AND counter.account_id = funding.id`,
          where: scope.payroll_batch('thing.batch_id'),
          faults: [
            ['posting.id IS NULL', 'was not posted'],
            unequal({
              kind: ['posting.kind', `'reversal'`],
              line: ['posting.subject_id', 'thing.id'],
              original: [
                'posting.reverses_id',
                `CASE WHEN reversal.amount_minor = thing.amount_minor
                      THEN thing.ledger_transaction_id END`,
              ],
              amount: ['entry.amount', '-reversal.amount_minor'],
              'amount of payroll funding': ['counter.amount', 'reversal.amount_minor'],
              reference: ['posting.reference', `(${LINE_REFERENCE}) || '-R' || reversal.number`],
              actor: ['posting.actor_id', 'reversal.reversed_by'],
            }),
          ],
        }),
        faulty({
          id: 'thing.id',
          from: sql`payroll_line AS thing
            LEFT JOIN (SELECT line_id, sum(amount_minor) AS amount_minor, count(*) AS rows,
                              max(number) AS last
                         FROM payroll_reversal GROUP BY line_id) AS reversed
              ON reversed.line_id = thing.id`,
          where: sql`(thing.reversed_minor > 0 OR reversed.line_id IS NOT NULL)
            AND ${scope.payroll_batch('thing.batch_id')}`,
          faults: [
            unequal({
              'sum taken back': ['thing.reversed_minor', 'coalesce(reversed.amount_minor, 0)'],
              'number of its last reversal': ['reversed.last', 'reversed.rows'],
            }),
          ],
        }),
      ),
  },
  {
    name: 'payroll-reversal-record',
    query: (scope) =>
      union(
        faulty({
          id: 'reversal.id',
          from: sql`payroll_reversal AS reversal ${sql.raw(OF_LINE)}
            LEFT JOIN audit_event AS made ON made.subject_type = 'payroll_line'
                 AND made.subject_id = thing.id AND made.action IN (${EVENTS})
                 AND ${sql.raw(fact('made', 'reversalId'))} = reversal.id::text`,
          where: scope.payroll_batch('thing.batch_id'),
          faults: [
            ['made.id IS NULL', 'has no record'],
            unequal({
              admin: ['reversal.reversed_by', 'made.actor_id'],
              'admin with rights': ['made.actor_role', `'admin'`],
            }),
            ['reversal.reversed_by = thing.user_id', 'is of the line of who made it'],
            changed('made', {
              transactionId: 'reversal.ledger_transaction_id',
              amountMinor: 'reversal.amount_minor',
              reason: 'reversal.reason',
              reference: `(${LINE_REFERENCE}) || '-R' || reversal.number`,
              walletId: 'thing.wallet_id',
              at: isoTime('reversal.reversed_at'),
            }),
          ],
        }),
        faulty({
          id: 'event.subject_id',
          from: sql`audit_event AS event
            LEFT JOIN payroll_line AS thing ON thing.id = event.subject_id
            LEFT JOIN payroll_reversal AS reversal ON reversal.line_id = event.subject_id
                 AND reversal.id::text = ${sql.raw(fact('event', 'reversalId'))}`,
          where: sql`event.subject_type = 'payroll_line' AND event.action IN (${EVENTS})
            AND ${scope.payroll_batch('thing.batch_id')}`,
          faults: [['reversal.id IS NULL', 'has the record of a reversal that does not exist']],
        }),
      ),
  },
];
