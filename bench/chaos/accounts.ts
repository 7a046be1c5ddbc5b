import { sql } from 'kysely';
import type { Db, Reader } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { accountForPayroll } from '#test/payroll-fixture.ts';
import type { Journal } from './journal.ts';

/**
 * Differences between the database and the clients' records. Empty lists are the expected result.
 */
export interface Findings {
  /** Acknowledged, and missing. */
  lost: string[];
  /** Present twice. */
  doubled: string[];
  /** Present, without a notification. */
  invented: string[];
  /** Balances, the ledger's own proof, and unfinished work. */
  wrong: string[];
}

/** People who request money, and the money that each of them began with, in minor units. */
interface Owners {
  ids: readonly string[];
  fundedMinor: bigint;
}

/**
 * Compares the acknowledged actions with the database, and verifies the books, once everything has settled.
 */
export async function compare(db: Db, journal: Journal, owners: Owners): Promise<Findings> {
  const findings = await compareActions(db, journal, owners);
  const { problems } = await verifyLedger(db);
  const others = await withTx(db, (tx) => runChecks(tx, businessChecks));
  findings.wrong.push(
    ...[...problems, ...others].map(({ check, what, id }) => `${check}: ${what} (${id})`),
  );
  return findings;
}

/** Compares the acknowledged actions with rows, audit trail, postings and balances. */
export async function compareActions(
  db: Reader,
  journal: Journal,
  owners: Owners,
): Promise<Findings> {
  const findings: Findings = { lost: [], doubled: [], invented: [], wrong: [] };
  await compareWithdrawals(db, journal, findings);
  await compareDeposits(db, journal, findings);
  await compareFurther(db, journal, findings);
  await comparePayrolls(db, journal, findings);
  await compareAudit(db, journal, findings);
  await compareBalances(db, journal, findings, owners);
  await compareOffice(db, journal, findings);
  return findings;
}

async function compareWithdrawals(db: Reader, journal: Journal, findings: Findings): Promise<void> {
  const { rows } = await sql<{
    id: string;
    status: string;
    marker: string;
    payouts: number;
    returns: number;
    settled: number;
    unsettled: number;
  }>`
    WITH posting AS (
      SELECT one.subject_id,
             count(*) FILTER (WHERE one.reverses_id IS NULL AND one.kind <> 'settlement') AS payouts,
             count(*) FILTER (WHERE former.kind <> 'settlement') AS returns,
             count(*) FILTER (WHERE one.reverses_id IS NULL AND one.kind = 'settlement') AS settled,
             count(*) FILTER (WHERE former.kind = 'settlement') AS unsettled
        FROM ledger_transaction AS one LEFT JOIN ledger_transaction AS former ON former.id = one.reverses_id
       GROUP BY one.subject_id
    )
    SELECT id, status, coalesce(resends_id::text, reason) AS marker, coalesce(payouts, 0)::integer AS payouts,
           coalesce(returns, 0)::integer AS returns, coalesce(settled, 0)::integer AS settled,
           coalesce(unsettled, 0)::integer AS unsettled
      FROM withdrawal LEFT JOIN posting ON subject_id = id`.execute(db);
  const markers = new Set<string>();
  const known = new Set([...journal.withdrawals.values()].map(({ marker }) => marker));
  for (const { id, marker, status, payouts, returns, settled, unsettled } of rows) {
    const what = `withdrawal ${id}`;
    if (markers.has(marker)) findings.doubled.push(what);
    markers.add(marker);
    if (!known.has(marker)) findings.invented.push(what);
    const isPaid = status === 'completed' || status === 'returned' || journal.sent.has(id);
    const wanted = { payouts: isPaid ? 1 : 0, returns: status === 'returned' ? 1 : 0 };
    if (payouts > wanted.payouts || returns > wanted.returns) {
      (isPaid ? findings.doubled : findings.invented).push(`payout of ${what}`);
    }
    if (payouts < wanted.payouts || returns < wanted.returns) {
      findings.lost.push(`payout of ${what}`);
    }
    const isSent = journal.sent.has(id);
    if (settled > 0 && !isSent) findings.invented.push(`settlement of ${what}`);
    if (settled > 1 || unsettled > settled) findings.doubled.push(`settlement of ${what}`);
    if (settled === 0 && isSent && status === 'completed') {
      findings.lost.push(`settlement of ${what}`);
    }
    // A settlement of a payout that came back later is reversed with it.
    if (unsettled > returns) findings.invented.push(`reversed settlement of ${what}`);
    if (unsettled < settled * returns) findings.lost.push(`reversed settlement of ${what}`);
  }
  const stored = new Map(rows.map((row) => [row.id, row.status]));
  for (const [id, { status }] of journal.withdrawals) {
    const found = stored.get(id) ?? 'missing';
    if (found !== status) findings.lost.push(`withdrawal ${id}: ${status}, found ${found}`);
  }
}

async function compareDeposits(db: Reader, journal: Journal, findings: Findings): Promise<void> {
  const { rows } = await sql<{ id: string; status: string; postings: number }>`
    WITH posting AS (
      SELECT subject_id, count(*) AS count FROM ledger_transaction GROUP BY subject_id
    )
    SELECT id, status, coalesce(count, 0)::integer AS postings
      FROM deposit LEFT JOIN posting ON subject_id = id`.execute(db);
  const stored = new Set(rows.map(({ id }) => id));
  for (const id of journal.deposits.keys()) {
    if (!stored.has(id)) findings.lost.push(`deposit ${id}`);
  }
  for (const { id, status, postings } of rows) {
    const known = journal.deposits.get(id) ?? 'not known';
    const what = `deposit ${id}: ${known}, found ${status}`;
    const isUndecided = known === 'not known' || known === 'pending';
    if (known !== status) (isUndecided ? findings.invented : findings.lost).push(what);
    const wanted = status === 'approved' ? 1 : 0;
    if (postings > wanted) findings.doubled.push(`posting of deposit ${id}`);
    if (postings < wanted) findings.lost.push(`posting of deposit ${id}`);
  }
}

async function comparePayrolls(db: Reader, journal: Journal, findings: Findings): Promise<void> {
  const batches = await db.selectFrom('payrollBatch').select(['id', 'status']).execute();
  const stored = new Map(batches.map(({ id, status }) => [id, status]));
  // Lines by their batch, with the number of postings that they have beyond one, or lack.
  const { rows } = await sql<{ id: string; further: number; missing: number }>`
    WITH posting AS (
      SELECT subject_id, count(*) AS count FROM ledger_transaction GROUP BY subject_id
    ), line AS (
      SELECT batch_id, (coalesce(count, 0) - (status = 'processed')::integer)::integer AS count
        FROM payroll_line AS line LEFT JOIN posting ON subject_id = line.id
    )
    SELECT batch_id AS id, sum(greatest(count, 0))::integer AS further,
           sum(greatest(-count, 0))::integer AS missing
      FROM line GROUP BY batch_id`.execute(db);
  const postings = new Map(rows.map(({ id, ...counts }) => [id, counts]));
  const known = new Map([...journal.fundings, ...journal.batches]);
  for (const { id } of batches) {
    if (!known.has(id)) findings.invented.push(`payroll ${id}`);
  }
  for (const [id, { employees }] of known) {
    const status = stored.get(id) ?? 'missing';
    if (status !== 'completed') findings.lost.push(`payroll ${id}, found ${status}`);
    const { paidLines, losses } = await accountForPayroll(db, id);
    if (paidLines !== employees || losses > 0) {
      findings.lost.push(
        `payroll ${id}: ${employees - paidLines} unpaid, ${losses} not in the ledger`,
      );
    }
    const { further, missing } = postings.get(id) ?? { further: 0, missing: 0 };
    const what = `payroll ${id}: ${further} further postings, ${missing} missing`;
    // A part that was taken back is a further posting of its line.
    const wanted = journal.reduced.has(id) ? 1 : 0;
    if (further > wanted) findings.doubled.push(what);
    if (further < wanted || missing > 0) findings.lost.push(what);
  }
}

/** Number of audit rows of each action that a client has acknowledged to it. */
export async function readAuditCounts(db: Reader): Promise<Map<string, number>> {
  const { rows } = await sql<{ action: string; count: number }>`
    SELECT action, count(*)::integer AS count FROM audit_event
     WHERE subject_type IN ('withdrawal', 'deposit', 'payroll_batch', 'payroll_line', 'bill',
                            'person_payment', 'wallet_move', 'payout_file', 'standing_bill',
                            'bank_statement', 'bank_line', 'return_file', 'employee_import',
                            'month_closing', 'payout_reversal')
       AND action NOT IN ('deposit.requested', 'payroll.completed', 'bill.taken',
                          'standing_bill.scheduled', 'employee_import.checked', 'employee_import.finished')
       AND NOT EXISTS (SELECT FROM wallet_move WHERE id = subject_id AND payroll_line_id IS NOT NULL)
     GROUP BY action`.execute(db);
  return new Map(rows.map(({ action, count }) => [action, count]));
}

/** Every action leaves one audit row, whatever other rows it leaves. */
async function compareAudit(db: Reader, journal: Journal, findings: Findings): Promise<void> {
  const recorded = await readAuditCounts(db);
  for (const action of new Set([...recorded.keys(), ...journal.acknowledged.keys()])) {
    const known = journal.acknowledged.get(action) ?? 0;
    const found = recorded.get(action) ?? 0;
    const what = `${action}: ${known} acknowledged, ${found} in the audit trail`;
    if (found < known) findings.lost.push(what);
    if (found > known) findings.invented.push(what);
  }
}

/** Postings of a bill, a payment to a colleague and a move by its status; the others have none. */
const POSTINGS: Readonly<Record<string, number>> = { made: 1, paid: 1, returned: 2 };

/** Compares bills, payout files, reversals by the bank, payments to colleagues and moves, with their postings. */
async function compareFurther(db: Reader, journal: Journal, findings: Findings): Promise<void> {
  const { rows } = await sql<{ kind: string; id: string; status: string; postings: number }>`
    WITH posting AS (
      SELECT one.subject_id, count(*) AS count
        FROM ledger_transaction AS one LEFT JOIN ledger_transaction AS former ON former.id = one.reverses_id
       WHERE one.kind <> 'settlement' AND former.kind IS DISTINCT FROM 'settlement'
       GROUP BY one.subject_id
    )
    SELECT thing.*, coalesce(count, 0)::integer AS postings
      FROM (SELECT 'bill' AS kind, id, status FROM bill
            UNION ALL SELECT 'file', id, status FROM payout_file
            UNION ALL SELECT 'reversal', id, status FROM payout_reversal
            UNION ALL SELECT 'payment', id, 'made' FROM person_payment
            UNION ALL SELECT 'standing', id, 'standing' FROM standing_bill
            UNION ALL SELECT CASE WHEN payroll_line_id IS NULL THEN 'move' ELSE 'automatic' END, id, 'made'
                        FROM wallet_move) AS thing
      LEFT JOIN posting ON subject_id = thing.id`.execute(db);
  const all = (ids: ReadonlySet<string>, status: string) =>
    new Map([...ids].map((id) => [id, status]));
  const known: Readonly<Record<string, ReadonlyMap<string, string>>> = {
    bill: journal.bills,
    file: journal.files,
    reversal: journal.reversals,
    payment: all(journal.payments, 'made'),
    move: all(journal.moves, 'made'),
    standing: all(journal.standing, 'standing'),
  };
  const found = new Set(rows.map(({ id }) => id));
  for (const { kind, id, status, postings } of rows) {
    const acknowledged = known[kind]?.get(id);
    const what = `${kind} ${id}: ${acknowledged ?? 'not known'}, found ${status}`;
    // The server takes a bill on its day.
    const isTaken = acknowledged === 'scheduled' && status === 'due';
    // Nobody acknowledges an automatic transfer. It is compared with its line of a payroll.
    const isAutomatic = kind === 'automatic';
    if (acknowledged === undefined && !isAutomatic) findings.invented.push(what);
    else if (acknowledged !== status && !isTaken && !isAutomatic) findings.lost.push(what);
    if (['file', 'reversal', 'standing'].includes(kind)) continue;
    const wanted = POSTINGS[status] ?? 0;
    if (postings > wanted) findings.doubled.push(`posting of ${kind} ${id}`);
    if (postings < wanted) findings.lost.push(`posting of ${kind} ${id}`);
  }
  for (const [kind, ids] of Object.entries(known)) {
    for (const id of ids.keys()) if (!found.has(id)) findings.lost.push(`${kind} ${id}`);
  }
}

/** Lines of statements, people from files, and the automatic transfers after each line of a payroll. */
async function compareOffice(db: Reader, journal: Journal, findings: Findings): Promise<void> {
  const { rows: lines } = await sql<{ text: string; minor: bigint; count: number }>`
    SELECT text, min(amount_minor)::bigint AS minor, count(*)::integer AS count FROM bank_line
     WHERE position > 0 GROUP BY text`.execute(db);
  const { rows: people } = await sql<{ text: string; minor: bigint; count: number }>`
    SELECT email AS text, 0::bigint AS minor, count(*)::integer AS count FROM app_user
     WHERE name = 'Imported Person' GROUP BY email`.execute(db);
  const imported = new Map([...journal.imported].map((email) => [email, 0n]));
  for (const [found, known] of [
    [lines, journal.lines],
    [people, imported],
  ] as const) {
    const stored = new Map(found.map(({ text, minor }) => [text, minor]));
    for (const { text, count } of found) {
      if (!known.has(text)) findings.invented.push(text);
      if (count > 1) findings.doubled.push(text);
    }
    for (const [text, minor] of known) if (stored.get(text) !== minor) findings.lost.push(text);
  }
  const { rows: runs } = await sql<{ id: string; moves: number }>`
    SELECT line.id, count(move.id)::integer AS moves
      FROM payroll_line AS line
      JOIN payroll_batch AS batch ON batch.id = line.batch_id
      JOIN transfer_plan AS plan ON plan.wallet_id = line.wallet_id
      LEFT JOIN wallet_move AS move ON move.payroll_line_id = line.id
     WHERE line.status = 'processed' AND batch.funding_type IS NULL AND batch.created_at > plan.changed_at
     GROUP BY line.id HAVING count(move.id) <> 1`.execute(db);
  for (const { id, moves } of runs) {
    (moves === 0 ? findings.lost : findings.doubled).push(
      `${moves} automatic transfers after ${id}`,
    );
  }
}

/** Sums over the wallets of these people, in minor units. */
export async function readBalances(
  db: Reader,
  ids: readonly string[],
): Promise<{ posted: bigint; held: bigint }> {
  const { rows } = await sql<{ posted: bigint; held: bigint }>`
    SELECT coalesce(sum(account.posted), 0)::bigint AS posted,
           coalesce(sum(account.held), 0)::bigint AS held
      FROM wallet JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
     WHERE wallet.user_id = ANY (${ids}::uuid[])`.execute(db);
  return rows[0] ?? { posted: 0n, held: 0n };
}

/** The wallets of the people who request money have what the acknowledged actions add up to. */
async function compareBalances(
  db: Reader,
  journal: Journal,
  findings: Findings,
  { ids, fundedMinor }: Owners,
): Promise<void> {
  const sum = await readBalances(db, ids);
  const posted = BigInt(ids.length) * fundedMinor + journal.posted;
  if (sum.posted !== posted) findings.wrong.push(`posted ${sum.posted}, should be ${posted}`);
  if (sum.held !== journal.held) findings.wrong.push(`held ${sum.held}, should be ${journal.held}`);
}
