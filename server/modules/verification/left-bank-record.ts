import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { fact } from './records.ts';

type Payout = 'withdrawal' | 'bill';

/** SQL that joins the audit row of a payout's completion, where there is one, as `completed`. */
export function leftBankRecord(table: Payout, action: string): RawBuilder<unknown> {
  return sql`LEFT JOIN audit_event AS completed
    ON completed.subject_id = ${sql.ref(`${table}.id`)} AND completed.subject_type = ${table}
   AND completed.action = ${action}`;
}

/** The fault of a payout that left the bank on another day, or with another reference, than recorded. */
export function leftBankFault(table: Payout): [RawBuilder<boolean>, string] {
  return [
    sql<boolean>`(to_char(${sql.ref(`${table}.left_bank_on`)}, 'YYYY-MM-DD'),
                  ${sql.ref(`${table}.bank_reference`)})
      IS DISTINCT FROM (${fact('completed', 'leftBankOn')}, ${fact('completed', 'bankReference')})`,
    'left the bank otherwise than its completion recorded',
  ];
}
