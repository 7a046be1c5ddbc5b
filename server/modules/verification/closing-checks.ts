import { sql } from 'kysely';
import { faulty, unequal } from './check.ts';
import type { ScopedCheck } from './check.ts';

/** SQL of a line of a kept journal, as the record of the closing has it. */
const LINE = `concat_ws('|', line.kind, line.account, line.department, line.debit_minor, line.credit_minor, line.count)`;

/**
 * The checks that closed months have the postings that they had when they were closed, that they and their journals are as
 * recorded, and that the ledger refuses postings in them.
 */
export const closingChecks: readonly ScopedCheck[] = [
  {
    name: 'closed-month',
    query: (scope) =>
      faulty({
        id: 'closing.id',
        from: sql`month_closing AS closing CROSS JOIN LATERAL ledger_digest(begins_at, ends_at) AS digest`,
        where: sql`closing.reopened_at IS NULL AND ${scope.month_closing('closing.id')}`,
        faults: [
          unequal({
            'number of entries': ['digest.entry_count', 'closing.entry_count'],
            debits: ['digest.debit_minor', 'closing.debit_minor'],
            'hash of its entries': [
              `encode(digest.content_hash, 'hex')`,
              `encode(closing.content_hash, 'hex')`,
            ],
          }),
        ],
      }),
  },
  {
    name: 'closed-until',
    query: () =>
      faulty({
        id: `'ledger'`,
        from: sql`ledger_calendar AS calendar
         CROSS JOIN (SELECT max(ends_at) AS ends_at, bool_and(coalesce(begins_at = former_end, true)) AS is_whole
                       FROM (SELECT begins_at, ends_at, lag(ends_at) OVER (ORDER BY month) AS former_end
                               FROM month_closing WHERE reopened_at IS NULL) AS one) AS closed`,
        where: 'true',
        faults: [
          unequal({ 'closed until': ['calendar.closed_until', 'closed.ends_at'] }),
          ['NOT closed.is_whole', 'has a month between closed ones that is not closed'],
        ],
      }),
  },
  {
    name: 'month-closing-record',
    query: () =>
      faulty({
        id: 'closing.id',
        from: sql`month_closing AS closing
          LEFT JOIN audit_event AS made ON made.subject_id = closing.id AND made.action = 'month.closed'
          LEFT JOIN audit_event AS opened ON opened.subject_id = closing.id AND opened.action = 'month.reopened'
          LEFT JOIN LATERAL (
            SELECT array_agg(${sql.raw(LINE)} ORDER BY ${sql.raw(LINE)} COLLATE "C") AS lines
              FROM month_journal_line AS line WHERE line.closing_id = closing.id) AS kept ON true
          LEFT JOIN LATERAL (
            SELECT array_agg(line ORDER BY line COLLATE "C") AS lines
              FROM jsonb_array_elements_text(made.details -> 'journal') AS line) AS recorded ON true`,
        where: 'true',
        faults: [
          ['made.id IS NULL', 'was closed by nobody'],
          [
            'kept.lines IS DISTINCT FROM recorded.lines',
            'has a journal that is not the recorded one',
          ],
          unequal({
            'closed by': ['closing.closed_by', 'made.actor_id'],
            month: [`to_char(closing.month, 'YYYY-MM')`, `made.details ->> 'month'`],
            entries: ['closing.entry_count::text', `made.details ->> 'entries'`],
            debits: ['closing.debit_minor::text', `made.details ->> 'debitMinor'`],
            hash: [`encode(closing.content_hash, 'hex')`, `made.details ->> 'contentHash'`],
            owed: ['closing.owed_minor::text', `made.details ->> 'owedMinor'`],
            'at the bank': ['closing.bank_minor::text', `made.details ->> 'bankMinor'`],
            'on its way': ['closing.way_minor::text', `made.details ->> 'wayMinor'`],
            root: [`encode(closing.root, 'hex')`, `made.details ->> 'root'`],
            'opened again by': ['closing.reopened_by', 'opened.actor_id'],
            'opened again for': ['closing.reopened_for::text', `opened.details ->> 'proposalId'`],
          }),
        ],
      }),
  },
  {
    name: 'journal-export-record',
    query: () =>
      faulty({
        id: 'export.closing_id',
        from: sql`journal_export AS export
          LEFT JOIN audit_event AS made ON made.subject_id = export.closing_id AND made.action = 'journal.exported'
               AND made.details ->> 'format' = export.format`,
        where: 'true',
        faults: [
          ['made.id IS NULL', 'was exported by nobody'],
          unequal({
            'exported by': ['export.exported_by', 'made.actor_id'],
            hash: [`encode(export.content_hash, 'hex')`, `made.details ->> 'contentHash'`],
          }),
        ],
      }),
  },
  {
    name: 'chart-account-record',
    query: () =>
      faulty({
        id: 'chart.id',
        from: sql`chart_account AS chart
          LEFT JOIN LATERAL (
            SELECT actor_id, details FROM audit_event
             WHERE subject_type = 'chart_account' AND subject_id = chart.id ORDER BY id DESC LIMIT 1) AS newest ON true`,
        where: 'true',
        faults: [
          unequal({
            account: ['chart.account', `newest.details ->> 'account'`],
            code: ['chart.code', `newest.details ->> 'code'`],
            name: ['chart.name', `newest.details ->> 'name'`],
            'changed by': ['chart.changed_by', 'newest.actor_id'],
          }),
        ],
      }),
  },
];
