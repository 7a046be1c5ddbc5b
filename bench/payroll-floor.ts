import { randomUUID } from 'node:crypto';
import pg from 'pg';

/**
 * Floor under a payroll: the rows that Purser writes for one, written by bare set-based SQL into
 * the same tables with their indexes, keys and triggers, in one transaction per chunk. It checks
 * nothing and locks nothing in advance. It connects as the owner and sets the ledger's guard
 * itself, because it calls no function of the ledger.
 *
 * @returns duration in milliseconds
 */
export async function runPayrollFloor(
  ownerUrl: string,
  { adminId, pay, chunkLines }: { adminId: string; pay: FloorPay; chunkLines: number },
): Promise<number> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const fundingId = await fundingAccount(client);
    const startedAt = performance.now();
    const batchId = randomUUID();
    const lines = await writeBatch(client, batchId, adminId, pay);
    for (let from = 1; from <= lines; from += chunkLines) {
      await writeChunk(client, { batchId, fundingId, from, to: from + chunkLines - 1 });
    }
    await client.query(
      `INSERT INTO outbox (kind, topic, user_id, payload)
       SELECT 'mail', 'notification', user_id, jsonb_build_object('notificationId', id)
         FROM payroll_line WHERE batch_id = $1`,
      [batchId],
    );
    await client.query(
      `UPDATE payroll_batch SET status = 'completed', processed_at = now() WHERE id = $1`,
      [batchId],
    );
    await recordActs(client, batchId);
    return performance.now() - startedAt;
  } finally {
    await client.end();
  }
}

/** Amounts paid, in minor units: the same to everybody, or to each their own amount in a draft. */
type FloorPay = { amountMinor: bigint } | { draftId: string };

/** Audit rows of a batch that was sent and paid, without the facts that only Purser's own have. */
async function recordActs(client: pg.Client, batchId: string): Promise<void> {
  await client.query(
    `INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id)
     SELECT actor, role, action, 'payroll_batch', batch.id
       FROM payroll_batch AS batch,
            LATERAL (VALUES (created_by, 'admin', 'payroll.sent'),
                            (NULL, 'system', 'payroll.completed')) AS act (actor, role, action)
      WHERE batch.id = $1`,
    [batchId],
  );
}

async function fundingAccount(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT ledger_account_ensure_system(gen_random_uuid(), 'payroll_funding', 'USD') AS id`,
  );
  return rows[0]?.id ?? '';
}

async function writeBatch(
  client: pg.Client,
  batchId: string,
  adminId: string,
  pay: FloorPay,
): Promise<number> {
  const [people, amount, value] =
    'draftId' in pay
      ? [
          `${PAYEES} JOIN payroll_draft_person AS named ON named.user_id = person.id AND named.draft_id = $2`,
          'named.amount_minor',
          pay.draftId,
        ]
      : [PAYEES, '$2::bigint', pay.amountMinor];
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO payroll_batch (id, number, name, pay_period, description, wallet_type, department,
       amount_minor, currency, status, preview_hash, payable_count, skipped_count, total_minor,
       created_by)
     SELECT $1, lpad(nextval('payroll_batch_number_seq')::text, 4, '0'), 'Salary Wallet', 'Now',
            'Biweekly pay', 'salary', 'all', $4, 'USD', 'processing', sha256(''), count(*), 0,
            sum(${amount}), $3
       FROM ${people} WHERE role = 'employee'`,
    [batchId, value, adminId, 'draftId' in pay ? null : pay.amountMinor],
  );
  const { rowCount } = await client.query(
    `INSERT INTO payroll_line (batch_id, line_number, user_id, wallet_id, amount_minor, status)
     SELECT $1, row_number() OVER (ORDER BY coalesce(nullif(last_name, ''), first_name), first_name, person.id), person.id, wallet.id,
            ${amount}, 'draft'
       FROM ${people} WHERE role = 'employee'`,
    [batchId, value],
  );
  await client.query('COMMIT');
  return rowCount ?? 0;
}

const PAYEES = `app_user AS person JOIN wallet ON wallet.user_id = person.id AND wallet.type = 'salary'`;

interface Chunk {
  batchId: string;
  fundingId: string;
  from: number;
  to: number;
}

async function writeChunk(
  client: pg.Client,
  { batchId, fundingId, from, to }: Chunk,
): Promise<void> {
  const range = [batchId, from, to];
  await client.query('BEGIN');
  await client.query(`SELECT set_config('purser.ledger_door', 'open', true)`);
  for (const statement of LINE_STATEMENTS) await client.query(statement, range);
  for (const statement of LEDGER_STATEMENTS) await client.query(statement, [...range, fundingId]);
  await client.query('COMMIT');
}

/** Time of the chunk, in whole milliseconds as in the ledger. */
const NOW = `date_trunc('milliseconds', now())`;
const LINES = `payroll_line AS line WHERE batch_id = $1 AND line_number BETWEEN $2 AND $3`;
const LINES_AND_ACCOUNTS = `payroll_line AS line JOIN wallet ON wallet.id = line.wallet_id
  JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
  WHERE batch_id = $1 AND line_number BETWEEN $2 AND $3`;

const LINE_STATEMENTS = [
  `UPDATE payroll_line SET status = 'processed', ledger_transaction_id = uuidv7(),
          processed_at = ${NOW}
    WHERE batch_id = $1 AND line_number BETWEEN $2 AND $3`,
  `INSERT INTO ledger_transaction (id, kind, reference, description, actor_id, subject_id,
                                   effective_at, recorded_at)
   SELECT ledger_transaction_id, 'payroll', 'PAY-' || batch.number || '-' || lpad(line_number::text,
          greatest(4, length(line_number::text)), '0'), batch.description, batch.created_by, line.id, ${NOW}, ${NOW}
     FROM payroll_line AS line JOIN payroll_batch AS batch ON batch.id = line.batch_id
    WHERE batch_id = $1 AND line_number BETWEEN $2 AND $3`,
  `INSERT INTO ledger_unsealed SELECT ledger_transaction_id FROM ${LINES}`,
  `INSERT INTO notification (id, user_id, kind, type, title, message, related_id)
   SELECT id, user_id, 'payroll-received', 'deposit', 'Payroll received',
          '$' || to_char(amount_minor / 100.0, 'FM999,999,990.00') ||
          ' arrived in your Salary Wallet: Biweekly pay', id FROM ${LINES}`,
  `UPDATE payroll_batch SET paid_count = paid_count + paid.lines, paid_minor = paid_minor + paid.minor,
          posted_through = $3, updated_at = ${NOW}
     FROM (SELECT count(*) AS lines, sum(amount_minor)::bigint AS minor FROM ${LINES}) AS paid
    WHERE id = $1`,
];

const LEDGER_STATEMENTS = [
  `INSERT INTO ledger_entry (transaction_id, account_id, amount, balance_after, account_version,
                             effective_at, recorded_at)
   SELECT ledger_transaction_id, account.id, amount_minor, account.posted + amount_minor,
          account.version + 1, ${NOW}, ${NOW} FROM ${LINES_AND_ACCOUNTS} AND $4::uuid IS NOT NULL
   UNION ALL
   SELECT ledger_transaction_id, funding.id, -amount_minor,
          funding.posted - sum(amount_minor) OVER (ORDER BY line_number),
          funding.version + row_number() OVER (ORDER BY line_number), ${NOW}, ${NOW}
     FROM ledger_account AS funding, ${LINES} AND funding.id = $4`,
  `UPDATE ledger_account AS account
      SET posted = posted + amount_minor, version = version + 1, last_entry_at = ${NOW}
     FROM payroll_line AS line JOIN wallet ON wallet.id = line.wallet_id
    WHERE batch_id = $1 AND line_number BETWEEN $2 AND $3 AND $4::uuid IS NOT NULL
      AND account.id = wallet.ledger_account_id`,
  `UPDATE ledger_account SET posted = posted - moved.amount, version = version + moved.lines,
                             last_entry_at = ${NOW}
     FROM (SELECT sum(amount_minor)::bigint AS amount, count(*) AS lines FROM ${LINES}) AS moved
    WHERE id = $4`,
  `INSERT INTO ledger_total AS total (account_id, month, kind, debit, credit, count)
   SELECT account.id, date_trunc('month', now() AT TIME ZONE 'UTC'), 'payroll', 0, amount_minor, 1
     FROM ${LINES_AND_ACCOUNTS}
   UNION ALL
   SELECT $4, date_trunc('month', now() AT TIME ZONE 'UTC'), 'payroll', sum(amount_minor), 0, count(*)
     FROM ${LINES}
   ON CONFLICT (account_id, month, kind) DO UPDATE
      SET debit = total.debit + excluded.debit, credit = total.credit + excluded.credit,
          count = total.count + excluded.count`,
];
