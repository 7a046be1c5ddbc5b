import { sql } from 'kysely';
import { recovery } from '#contract/things/recovery.ts';
import { eventOf } from '#contract/things/thing.ts';
import { faulty, listed, unequal, union } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { historyCheck } from './histories.ts';
import { MOVEMENTS } from './movements.ts';
import { changed, columns, fact, isoDay, isoTime, recordCheck } from './records.ts';

const TAKEN = listed([eventOf(recovery, 'take'), eventOf(recovery, 'finish')]);
const GIVEN_BACK = listed([eventOf(recovery, 'giveBack'), eventOf(recovery, 'resume')]);

/** SQL of the reference of a line `thing` of the batch `batch`. */
const LINE_REFERENCE = MOVEMENTS.find(({ name }) => name === 'payroll')?.reference ?? '';

/** SQL of an instalment `taken` of a recovery, with the line `thing` that it was taken from. */
const INSTALMENTS = `recovery_instalment AS taken
  LEFT JOIN recovery ON recovery.id = taken.recovery_id
  LEFT JOIN payroll_line AS thing ON thing.id = taken.line_id
  LEFT JOIN payroll_batch AS batch ON batch.id = thing.batch_id
  LEFT JOIN wallet ON wallet.id = thing.wallet_id
  LEFT JOIN ledger_account AS funding
    ON funding.code = 'payroll_funding' AND funding.currency = batch.currency`;

/** SQL of a posting of an instalment with its sides: of the wallet, and of payroll funding. */
function posting(name: string, id: string): string {
  return `LEFT JOIN ledger_transaction AS ${name} ON ${name}.id = taken.${id}
    LEFT JOIN ledger_entry AS ${name}_entry ON ${name}_entry.transaction_id = ${name}.id
         AND ${name}_entry.account_id = wallet.ledger_account_id
    LEFT JOIN ledger_entry AS ${name}_counter ON ${name}_counter.transaction_id = ${name}.id
         AND ${name}_counter.account_id = funding.id`;
}

/** SQL of the newest record of an instalment with one of the events. */
const record = (name: string, events: unknown) => sql`
  LEFT JOIN LATERAL (
    SELECT actor_id, details FROM audit_event
     WHERE subject_type = 'recovery' AND subject_id = taken.recovery_id AND action IN (${events})
       AND ${sql.raw(fact('audit_event', 'instalmentId'))} = taken.id::text
     ORDER BY id DESC LIMIT 1) AS ${sql.raw(name)} ON true`;

/** The checks that what was recovered was agreed, taken and recorded, and no more than that. */
export const recoveryChecks: readonly ScopedCheck[] = [
  historyCheck({
    name: 'recovery',
    thing: recovery,
    made: { by: 'thing.created_by', at: 'thing.created_at' },
  }),
  recordCheck({
    name: 'recovery',
    table: 'recovery',
    event: eventOf(recovery, 'propose'),
    faults: [unequal({ person: ['thing.user_id', 'made.person_id'] })],
    facts: {
      ...columns('lineId', 'walletType', 'currency', 'amountMinor', 'instalmentMinor', 'percent'),
      ...columns('reason'),
      startsOn: isoDay('thing.starts_on'),
      answerBy: isoDay('thing.answer_by'),
    },
  }),
  {
    name: 'recovery-sum',
    query: (scope) =>
      union(
        faulty({
          id: 'thing.id',
          from: `recovery AS thing
            LEFT JOIN payroll_line AS line ON line.id = thing.line_id
            LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
            LEFT JOIN (SELECT recovery_id, sum(amount_minor) AS minor FROM recovery_instalment
                        WHERE given_back_transaction_id IS NULL GROUP BY recovery_id) AS taken
              ON taken.recovery_id = thing.id
            LEFT JOIN (SELECT line_id, sum(recovered_minor) AS minor FROM recovery GROUP BY line_id)
              AS recovered ON recovered.line_id = thing.line_id`,
          where: scope.recovery('thing.id'),
          faults: [
            unequal({
              'recovered sum': ['thing.recovered_minor', 'coalesce(taken.minor, 0)'],
              person: ['thing.user_id', 'line.user_id'],
              'type of wallet': ['thing.wallet_type', 'batch.wallet_type'],
              currency: ['thing.currency', 'batch.currency'],
            }),
            [
              'recovered.minor + line.reversed_minor > line.amount_minor',
              'is of a line of %s, of which %s was recovered and %s taken back',
              'line.amount_minor',
              'recovered.minor',
              'line.reversed_minor',
            ],
          ],
        }),
        faulty({
          id: 'thing.id',
          from: `payroll_line AS thing
            JOIN (SELECT taken.line_id, sum(taken.amount_minor) AS minor, max(recovery.percent) AS percent
                    FROM recovery_instalment AS taken
                    JOIN recovery ON recovery.id = taken.recovery_id GROUP BY taken.line_id) AS taken
              ON taken.line_id = thing.id`,
          where: scope.payroll_batch('thing.batch_id'),
          faults: [
            [
              'taken.minor > thing.amount_minor * taken.percent / 100',
              'of %s carried recoveries of %s, more than the %s percent that were accepted',
              'thing.amount_minor',
              'taken.minor',
              'taken.percent',
            ],
          ],
        }),
      ),
  },
  {
    name: 'recovery-posting',
    query: (scope) =>
      union(
        faulty({
          id: 'taken.id',
          from: `${INSTALMENTS}
            ${posting('posting', 'ledger_transaction_id')}
            ${posting('returned', 'given_back_transaction_id')}`,
          where: scope.recovery('taken.recovery_id'),
          faults: [
            ['posting.id IS NULL', 'was not posted'],
            [
              'taken.given_back_transaction_id IS NOT NULL AND returned.id IS NULL',
              'was not posted when it was given back',
            ],
            [
              `taken.amount_minor > recovery.instalment_minor`,
              'is %s, more than the instalment of %s that was accepted',
              'taken.amount_minor',
              'recovery.instalment_minor',
            ],
            [
              `thing.status = 'reversed' AND taken.given_back_transaction_id IS NULL`,
              'was taken from the line %s, which was taken back, and not given back',
              'thing.id',
            ],
            unequal({
              person: ['recovery.user_id', 'thing.user_id'],
              'type of wallet': ['recovery.wallet_type', 'batch.wallet_type'],
              currency: ['recovery.currency', 'batch.currency'],
              kind: ['posting.kind', `'recovery'`],
              line: ['posting.subject_id', 'thing.id'],
              amount: ['posting_entry.amount', '-taken.amount_minor'],
              'amount of payroll funding': ['posting_counter.amount', 'taken.amount_minor'],
              reference: ['posting.reference', `(${LINE_REFERENCE}) || '-A' || taken.number`],
              actor: ['posting.actor_id', 'NULL::uuid'],
            }),
            [
              `returned.id IS NOT NULL AND (returned.kind, returned.subject_id, returned_entry.amount,
                 returned_counter.amount, returned.reference) IS DISTINCT FROM ('recovery', thing.id,
                 taken.amount_minor, -taken.amount_minor, posting.reference || '-R1')`,
              'was not given back by the posting %s as it was taken',
              'returned.id',
            ],
          ],
        }),
        faulty({
          id: 'posting.id',
          from: `ledger_transaction AS posting
            LEFT JOIN recovery_instalment AS taken
              ON posting.id IN (taken.ledger_transaction_id, taken.given_back_transaction_id)`,
          where: sql`posting.kind = 'recovery' AND ${scope.postings(['recovery'])('posting.id')}`,
          faults: [['taken.id IS NULL', 'is for no instalment']],
        }),
      ),
  },
  {
    name: 'recovery-instalment-record',
    query: (scope) =>
      union(
        faulty({
          id: 'taken.id',
          from: sql`${sql.raw(INSTALMENTS)} ${record('made', TAKEN)} ${record('undone', GIVEN_BACK)}`,
          where: scope.recovery('taken.recovery_id'),
          faults: [
            ['made.details IS NULL', 'has no record'],
            [
              '(taken.given_back_transaction_id IS NULL) <> (undone.details IS NULL)',
              'was given back otherwise than recorded',
            ],
            changed('made', {
              transactionId: 'taken.ledger_transaction_id',
              amountMinor: 'taken.amount_minor',
              lineId: 'taken.line_id',
              reference: `(${LINE_REFERENCE}) || '-A' || taken.number`,
              currency: 'batch.currency',
              at: isoTime('taken.taken_at'),
            }),
            changed('undone', {
              transactionId: 'taken.given_back_transaction_id',
              amountMinor: 'taken.amount_minor',
            }),
          ],
        }),
        faulty({
          id: 'event.subject_id',
          from: sql`audit_event AS event
            LEFT JOIN recovery_instalment AS taken
              ON taken.recovery_id = event.subject_id
             AND taken.id::text = ${sql.raw(fact('event', 'instalmentId'))}`,
          where: sql`event.subject_type = 'recovery' AND event.action IN (${TAKEN}, ${GIVEN_BACK})
            AND ${scope.recovery('event.subject_id')}`,
          faults: [['taken.id IS NULL', 'has the record of an instalment that does not exist']],
        }),
      ),
  },
];
