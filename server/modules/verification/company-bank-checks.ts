import { sql } from 'kysely';
import { faulty, unequal, union } from './check.ts';
import type { ScopedCheck } from './check.ts';

/** SQL of a match as the audit trail states one: `deposit 0190... 45000`. */
const MATCH_WORDS = `(match.kind || ' ' || coalesce(match.item_id::text, '') || ' ' || match.amount_minor)`;

/** SQL of an item's amount on the bank's account, by the kind and id of `match`. */
const ITEM_AMOUNT = `CASE match.kind
  WHEN 'deposit' THEN (SELECT amount_minor FROM deposit WHERE id = match.item_id)
  WHEN 'withdrawal' THEN (SELECT -amount_minor FROM withdrawal WHERE id = match.item_id)
  WHEN 'bill' THEN (SELECT -amount_minor FROM bill WHERE id = match.item_id)
  WHEN 'payout_file' THEN (SELECT -total_minor FROM payout_file WHERE id = match.item_id AND sent_at IS NOT NULL)
  WHEN 'payroll' THEN (SELECT paid_minor FROM payroll_batch WHERE id = match.item_id)
  WHEN 'return' THEN coalesce(
    (SELECT amount_minor FROM withdrawal WHERE id = match.item_id),
    (SELECT amount_minor FROM bill WHERE id = match.item_id),
    (SELECT amount_minor FROM payout_file_item
      WHERE id = match.item_id AND NOT is_live AND ledger_transaction_id IS NOT NULL)) END`;

/**
 * The checks that statements of the company's bank follow each other and are what their lines are, that matches add up, and
 * that the audit trail has them. With these, at the bank + on its way − owed is the sum of the lines without a match.
 */
export const companyBankChecks: readonly ScopedCheck[] = [
  {
    name: 'bank-statement',
    query: (scope) =>
      faulty({
        id: 'statement.id',
        from: sql`bank_statement AS statement
          LEFT JOIN LATERAL (SELECT closing_minor, number FROM bank_statement
                              WHERE account_id = statement.account_id AND number < statement.number
                              ORDER BY number DESC LIMIT 1) AS former ON true
          LEFT JOIN (SELECT statement_id, sum(amount_minor) AS amount, count(*) AS lines
                       FROM bank_line WHERE position > 0 AND ${scope.bank_statement('statement_id')}
                      GROUP BY statement_id) AS line
            ON line.statement_id = statement.id
          LEFT JOIN audit_event AS made ON made.subject_type = 'bank_statement' AND made.subject_id = statement.id
                AND made.action = 'bank_statement.imported'`,
        where: scope.bank_statement('statement.id'),
        faults: [
          ['made.id IS NULL', 'has no record'],
          unequal({
            number: ['statement.number', 'coalesce(former.number, 0) + 1'],
            'number of lines': ['coalesce(line.lines, 0)', 'statement.line_count'],
            opening: [
              'statement.opening_minor',
              'coalesce(former.closing_minor, statement.opening_minor)',
            ],
            closing: [
              'statement.closing_minor',
              'statement.opening_minor + coalesce(line.amount, 0)',
            ],
            importer: ['statement.imported_by', 'made.actor_id'],
            'recorded closing': [
              `made.details ->> 'closingMinor'`,
              'statement.closing_minor::text',
            ],
            'recorded file': [`made.details ->> 'fileHash'`, `encode(statement.file_hash, 'hex')`],
          }),
        ],
      }),
  },
  {
    name: 'bank-start',
    // Reads the first statement of each account, and no more.
    query: () =>
      faulty({
        id: 'first.id',
        // The first statement of all says what was owed when the comparison began, and that of each later account begins
        // with its whole balance. Their times say nothing of their order: the clock of a process may be late.
        from: sql`(
          SELECT (array_agg(statement.id ORDER BY statement.id))[1] AS id,
                 sum(coalesce(line.amount_minor, 0)) AS differences, sum(statement.opening_minor) AS openings
            FROM bank_statement AS statement
            LEFT JOIN bank_line AS line ON line.statement_id = statement.id AND line.position = 0
           WHERE statement.number = 1) AS first
         CROSS JOIN (SELECT coalesce(sum(balance_minor), 0) AS minor FROM bank_start) AS start`,
        where: 'first.id IS NOT NULL',
        faults: [
          unequal({
            'difference at its beginning': ['first.differences', 'first.openings + start.minor'],
          }),
        ],
      }),
  },
  {
    name: 'bank-line',
    query: (scope) =>
      faulty({
        id: 'line.id',
        from: sql`bank_line AS line
          JOIN bank_statement AS statement ON statement.id = line.statement_id
          LEFT JOIN (SELECT line_id, sum(amount_minor) AS amount FROM bank_match
                      WHERE undone_at IS NULL AND ${scope.bank_line('line_id')}
                      GROUP BY line_id) AS matched ON matched.line_id = line.id`,
        where: scope.bank_line('line.id'),
        faults: [
          unequal({
            account: ['line.account_id', 'statement.account_id'],
            'sum of its items': [
              'coalesce(matched.amount, 0)',
              'CASE WHEN line.matched_at IS NULL THEN 0 ELSE line.amount_minor END',
            ],
          }),
        ],
      }),
  },
  {
    // Statements from before their records had it are compared by the line alone.
    name: 'bank-line-part',
    query: (scope) =>
      union(
        faulty({
          id: 'line.id',
          from: sql`(SELECT line_id, count(*) AS parts, max(position) AS last, min(amount_minor) AS least,
                            max(amount_minor) AS most
                       FROM bank_line_part WHERE ${scope.bank_line('line_id')} GROUP BY line_id) AS part
            JOIN bank_line AS line ON line.id = part.line_id`,
          where: 'true',
          faults: [
            ['part.last <> part.parts', 'is made of %s payments, and one is missing', 'part.last'],
            [
              'line.amount_minor > 0 AND part.least <= 0 OR line.amount_minor < 0 AND part.most >= 0',
              'has a payment that goes the other way',
            ],
          ],
        }),
        faulty({
          id: 'statement.id',
          from: sql`bank_statement AS statement
            JOIN audit_event AS made ON made.subject_type = 'bank_statement' AND made.subject_id = statement.id
             AND made.action = 'bank_statement.imported' AND made.details ? 'partsHash'
            LEFT JOIN bank_part_digests() AS part ON part.statement_id = statement.id`,
          where: scope.bank_statement('statement.id'),
          faults: [
            [
              `made.details ->> 'partsHash' <> coalesce(part.digest, '')`,
              'has payments in its lines that its import did not have, or lacks some',
            ],
          ],
        }),
      ),
  },
  {
    name: 'bank-match-total',
    query: (scope) =>
      faulty({
        id: 'statement_id',
        from: sql`(SELECT statement_id, kind, minor FROM bank_match_total
                    WHERE ${scope.bank_statement('statement_id')}) AS total
          FULL JOIN (SELECT line.statement_id, match.kind, sum(match.amount_minor) AS minor
                       FROM bank_match AS match JOIN bank_line AS line ON line.id = match.line_id
                      WHERE match.undone_at IS NULL AND ${scope.bank_statement('line.statement_id')}
                      GROUP BY 1, 2) AS matched USING (statement_id, kind)`,
        where: 'true',
        faults: [
          unequal({ 'sum by kind': ['coalesce(total.minor, 0)', 'coalesce(matched.minor, 0)'] }),
        ],
      }),
  },
  {
    name: 'bank-open-total',
    query: (scope) =>
      faulty({
        id: 'statement_id',
        from: sql`(SELECT statement_id, lines, minor FROM bank_open_total
                    WHERE ${scope.bank_statement('statement_id')}) AS total
          FULL JOIN (SELECT statement_id, count(*) AS lines, sum(amount_minor) AS minor FROM bank_line
                      WHERE matched_at IS NULL AND ${scope.bank_statement('statement_id')}
                      GROUP BY statement_id) AS open USING (statement_id)`,
        where: 'true',
        faults: [
          unequal({
            'lines without a match': ['coalesce(total.lines, 0)', 'coalesce(open.lines, 0)'],
            'sum of them': ['coalesce(total.minor, 0)', 'coalesce(open.minor, 0)'],
          }),
        ],
      }),
  },
  {
    name: 'bank-item',
    query: (scope) =>
      faulty({
        id: 'item.item_id',
        from: sql`(SELECT item_id, kind, sum(match.amount_minor) AS matched, max(${sql.raw(ITEM_AMOUNT)}) AS amount
                     FROM bank_match AS match
                    WHERE undone_at IS NULL AND item_id IS NOT NULL AND ${scope.bank_item('item_id')}
                    GROUP BY item_id, kind) AS item`,
        where: 'true',
        faults: [
          ['item.amount IS NULL', 'is matched as a %s, and there is none', 'item.kind'],
          [
            'abs(item.matched) > abs(item.amount) OR item.matched * item.amount < 0',
            'has %s, and lines of %s are matched with it',
            'item.amount',
            'item.matched',
          ],
        ],
      }),
  },
  {
    name: 'bank-line-record',
    query: (scope) =>
      faulty({
        id: 'line.id',
        from: sql`bank_line AS line
          LEFT JOIN LATERAL (
            SELECT action, actor_id, actor_role, details FROM audit_event
             WHERE subject_type = 'bank_line' AND subject_id = line.id ORDER BY id DESC LIMIT 1) AS last ON true
          LEFT JOIN LATERAL (
            SELECT string_agg(${sql.raw(MATCH_WORDS)}, ', '
                              ORDER BY ${sql.raw(MATCH_WORDS)} COLLATE "C") AS items
              FROM bank_match AS match WHERE line_id = line.id AND undone_at IS NULL) AS matched ON true`,
        where: scope.bank_line('line.id'),
        faults: [
          [
            `(line.matched_at IS NOT NULL) <> (coalesce(last.action, '') = 'bank_line.matched')`,
            'is not as its last record left it',
          ],
          [
            `line.matched_at IS NOT NULL AND (
               line.matched_by IS DISTINCT FROM last.actor_id
               OR line.match_reason IS DISTINCT FROM last.details ->> 'reason'
               OR matched.items IS DISTINCT FROM last.details ->> 'items')`,
            'is matched with %s, not as recorded',
            'matched.items',
          ],
        ],
      }),
  },
];
