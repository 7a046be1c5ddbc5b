import { sql } from 'kysely';
import { usualPayChange } from '#contract/things/usual-pay-change.ts';
import { unequal } from './check.ts';
import type { ScopedCheck } from './check.ts';
import { historyCheck } from './histories.ts';
import { columns, isoDay, recordCheck } from './records.ts';

/** SQL of the lines of a change as its record states them (`recordedLine`). */
const LINES = `(
  SELECT coalesce(jsonb_agg(one.line ORDER BY one.line COLLATE "C"), '[]')
    FROM (SELECT concat_ws(' ', line.wallet_type, line.before_minor, line.amount_minor) AS line
            FROM usual_pay_line AS line
           WHERE line.change_id = thing.id AND line.user_id = thing.user_id
             AND line.valid_from = thing.valid_from) AS one)`;

/** The checks that what people are usually paid is what was changed and, where it takes two, confirmed by another. */
export const usualPayChecks: readonly ScopedCheck[] = [
  historyCheck({
    name: 'usual-pay',
    thing: usualPayChange,
    made: { by: 'thing.created_by', at: 'thing.created_at' },
  }),
  recordCheck({
    name: 'usual-pay',
    table: 'usual_pay_change',
    event: (scope) => sql`(SELECT subject_id, person_id, details FROM audit_event
      WHERE subject_type = 'usual_pay_change' AND action IN ('usual_pay.proposed', 'usual_pay.set')
        AND ${scope.usual_pay_change('subject_id')})`,
    faults: [
      unequal({
        person: ['thing.user_id', 'made.person_id'],
        lines: [LINES, `made.details -> 'lines'`],
      }),
      [
        `thing.status = 'confirmed' AND thing.moved_by = thing.created_by`,
        'was confirmed by %s, who made it',
        'thing.moved_by',
      ],
      [
        `EXISTS (SELECT FROM usual_pay_line AS line
                  WHERE line.change_id = thing.id AND line.counts <> (thing.status = 'confirmed'))`,
        'is %s, and its lines do not follow that',
        'thing.status',
      ],
    ],
    facts: {
      ...columns('reason', 'currency', 'comparedMinor', 'needsSecond'),
      validFrom: isoDay('thing.valid_from'),
    },
  }),
];
