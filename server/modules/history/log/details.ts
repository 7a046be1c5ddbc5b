import { sql } from 'kysely';
import type { TransactionPage } from '#contract/api.ts';
import type { RequestType } from '#contract/activity.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSealProof } from '#server/modules/ledger/index.ts';
import type { SealProof } from '#server/modules/ledger/index.ts';
import { REJECTED_BY, REQUEST_KINDS } from '../request-kinds.ts';
import { presentCommitment, presentProof } from '../proof/present.ts';
import { readSealedAccounts } from '../proof/read-movements.ts';
import type { SideRow } from '../proof/read-movements.ts';
import { presentLogged } from './present.ts';
import { readLogRows } from './rows.ts';
import { systemAccountName } from '#contract/system-accounts.ts';

/**
 * All details of one event in the log.
 *
 * @throws {AppError} `transaction_not_found`, also for a request that is posted: its posting is the
 *   event
 */
export async function getLoggedTransaction(reader: Reader, id: string): Promise<TransactionPage> {
  const [row] = await readLogRows(reader, [id], { people: null });
  if (row === undefined) throw new AppError('transaction_not_found');
  const proof = await readSealProof(reader, id);
  const entries = await readEntries(reader, id, proof);
  const shown = proof === undefined ? null : presentProof(proof);
  const isPosted = entries.length > 0;
  return {
    ...presentLogged(row),
    entries,
    facts: isPosted ? await postedFacts(reader, id) : await requestFacts(reader, id),
    proof: shown,
    ...(await readSealedAccounts(reader, {
      accountIds: entries.map(({ accountId }) => accountId),
      ownerId: null,
      proofs: [shown],
    })),
  };
}

interface EntryRow extends SideRow {
  name: string;
  employeeNumber: string | null;
}

async function readEntries(
  reader: Reader,
  id: string,
  proof: SealProof | undefined,
): Promise<TransactionPage['entries']> {
  const { rows } = await sql<EntryRow>`
    SELECT entry.account_id, entry.account_version, entry.amount, entry.balance_after,
           account.currency, account.code, employee.id AS user_id, employee.name,
           employee.employee_number, wallet.type AS wallet_type, wallet.last4
      FROM ledger_entry AS entry
      JOIN ledger_account AS account ON account.id = entry.account_id
      LEFT JOIN wallet ON wallet.ledger_account_id = account.id
      LEFT JOIN app_user AS employee ON employee.id = wallet.user_id
     WHERE entry.transaction_id = ${id}
     ORDER BY entry.amount, entry.account_id, entry.account_version`.execute(reader);
  return rows.map((row) => ({
    accountId: row.accountId,
    holder:
      row.userId === null
        ? null
        : { id: row.userId, name: row.name, employeeId: row.employeeNumber },
    account:
      row.code === null
        ? `${WALLET_LABELS[row.walletType]} ••${row.last4}`
        : systemAccountName(row.code),
    number: row.accountVersion.toString(),
    amount: money(row.amount, row.currency),
    balanceAfter: money(row.balanceAfter, row.currency),
    ...presentCommitment(proof, { ...row, number: row.accountVersion }, true),
  }));
}

interface PostedRow {
  by: string | null;
  recordedAt: Date;
  batchId: string | null;
  batchName: string;
  payPeriod: string;
  line: number;
  lines: number;
  holdMinor: bigint | null;
  currency: Currency;
  reversesId: string | null;
  reversesReference: string;
  reversedById: string | null;
  reversedByReference: string;
  paidId: string | null;
  paidReference: string;
  requestType: RequestType | null;
  requestId: string;
  requestReference: string;
  note: string | null;
}

type Facts = TransactionPage['facts'];

async function postedFacts(reader: Reader, id: string): Promise<Facts> {
  const requests = REQUEST_KINDS.map(
    ({ type, table }) =>
      sql`SELECT id, reference, ${type}::text AS type FROM ${sql.table(table)}
           WHERE id = one.subject_id`,
  );
  const { rows } = await sql<PostedRow>`
    SELECT actor.name AS by, one.recorded_at, batch.id AS batch_id, batch.name AS batch_name,
           batch.pay_period, line.line_number AS line, batch.payable_count AS lines,
           hold.amount AS hold_minor, account.currency, reversed.id AS reverses_id,
           reversed.reference AS reverses_reference, reversal.id AS reversed_by_id,
           reversal.reference AS reversed_by_reference, paid.id AS paid_id,
           paid.reference AS paid_reference, request.type AS request_type,
           request.id AS request_id, request.reference AS request_reference,
           coalesce(taken.message, nullif(payment.note, '')) AS note
      FROM ledger_transaction AS one
      JOIN LATERAL (SELECT account.currency FROM ledger_entry AS entry
                      JOIN ledger_account AS account ON account.id = entry.account_id
                     WHERE entry.transaction_id = one.id LIMIT 1) AS account ON true
      LEFT JOIN app_user AS actor ON actor.id = one.actor_id
      LEFT JOIN payroll_line AS line
             ON line.id = one.subject_id AND one.kind IN ('payroll', 'funding', 'reversal', 'recovery')
      LEFT JOIN payroll_batch AS batch ON batch.id = line.batch_id
      LEFT JOIN ledger_hold AS hold ON hold.transaction_id = one.id
      LEFT JOIN ledger_transaction AS reversed ON reversed.id = one.reverses_id
      LEFT JOIN ledger_transaction AS reversal ON reversal.reverses_id = one.id
      LEFT JOIN person_payment AS payment
             ON payment.id = one.subject_id AND one.kind = 'transfer'
      LEFT JOIN payroll_reversal AS taken ON taken.ledger_transaction_id = one.id
      LEFT JOIN ledger_transaction AS paid
             ON paid.id = line.ledger_transaction_id AND one.kind = 'reversal'
            AND one.reverses_id IS NULL
      LEFT JOIN LATERAL (${sql.join(requests, sql` UNION ALL `)}) AS request ON true
     WHERE one.id = ${id}`.execute(reader);
  const [row] = rows;
  if (row === undefined) throw new AppError('transaction_not_found');
  const { batchId, requestType, reversesId, reversedById, holdMinor } = row;
  return {
    batch:
      batchId === null
        ? null
        : {
            id: batchId,
            name: row.batchName,
            payPeriod: row.payPeriod,
            line: row.line,
            lines: row.lines,
          },
    by: row.by,
    recordedAt: row.recordedAt.toISOString(),
    request:
      requestType === null
        ? null
        : { type: requestType, id: row.requestId, reference: row.requestReference },
    hold: holdMinor === null ? null : money(holdMinor, row.currency),
    reverses: reversesId === null ? null : { id: reversesId, reference: row.reversesReference },
    reversedBy:
      reversedById === null ? null : { id: reversedById, reference: row.reversedByReference },
    reversesPartOf: row.paidId === null ? null : { id: row.paidId, reference: row.paidReference },
    reversedInPart: await readParts(reader, id),
    rejectionReason: null,
    note: row.note,
  };
}

/** Reversals of parts of a line's payment, oldest first. */
async function readParts(reader: Reader, id: string): Promise<Facts['reversedInPart']> {
  const rows = await reader
    .selectFrom('ledgerTransaction as paid')
    .innerJoin('payrollLine as line', (join) =>
      join
        .onRef('line.id', '=', 'paid.subjectId')
        .onRef('line.ledgerTransactionId', '=', 'paid.id'),
    )
    .innerJoin('payrollBatch as batch', 'batch.id', 'line.batchId')
    .innerJoin('payrollReversal as part', 'part.lineId', 'line.id')
    .innerJoin('ledgerTransaction as one', 'one.id', 'part.ledgerTransactionId')
    .select(['one.id', 'one.reference', 'part.amountMinor', 'batch.currency'])
    .where('paid.id', '=', id)
    .where('one.reversesId', 'is', null)
    .orderBy('part.number')
    .execute();
  return rows.map(({ amountMinor, currency, ...one }) => ({
    ...one,
    amount: money(amountMinor, currency),
  }));
}

interface RequestRow {
  type: RequestType;
  reference: string;
  by: string | null;
  rejectionReason: string | null;
  holdMinor: bigint | null;
  currency: Currency;
}

async function requestFacts(reader: Reader, id: string): Promise<Facts> {
  const kinds = REQUEST_KINDS.map(
    ({ type, table }) => sql`
      SELECT ${type}::text AS type, request.reference, request.rejection_reason, request.currency,
             (SELECT name FROM app_user WHERE id = ${REJECTED_BY}) AS by,
             (SELECT amount FROM ledger_hold
               WHERE reference = request.reference AND state = 'held') AS hold_minor
        FROM ${sql.table(table)} AS request WHERE request.id = ${id}`,
  );
  const { rows } = await sql<RequestRow>`${sql.join(kinds, sql` UNION ALL `)}`.execute(reader);
  const [row] = rows;
  if (row === undefined) throw new AppError('transaction_not_found');
  const { type, reference, holdMinor, currency } = row;
  return {
    batch: null,
    by: row.by,
    recordedAt: null,
    request: { type, id, reference },
    hold: holdMinor === null ? null : money(holdMinor, currency),
    reverses: null,
    reversedBy: null,
    reversesPartOf: null,
    reversedInPart: [],
    rejectionReason: row.rejectionReason,
    note: null,
  };
}
