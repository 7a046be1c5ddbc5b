import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import { createPool } from '#server/db/pool.ts';
import type { Db } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { newId } from '#server/lib/ids.ts';
import { ensureSystemAccount, post } from '#server/modules/ledger/index.ts';
import { createVault } from '#server/vault/store.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import type { SeededEmployee } from '#test/factories/payroll.ts';
import { signInCookie } from '#test/factories/people.ts';
import { recordCompany } from '#test/factories/records.ts';
import { createTestServices } from '#test/factories/services.ts';
import type { BenchDatabase } from './database.ts';
import { connect } from './database.ts';

/** An employee whose screens are measured, and the ids that are opened. */
export interface BenchEmployee {
  cookie: string;
  /** Rows of their history: entries of the ledger, and requests that were never posted. */
  entries: number;
  /** The current month, and the one before it: `2026-11`. */
  year: number;
  month: string;
  /** Id of the newest entry: `<transaction>.salary`. */
  eventId: `${string}.salary`;
  /** The same of the newest withdrawal, which has a receipt. */
  paidOutId: `${string}.salary`;
  /** The newest payroll line. */
  lineId: string;
  withdrawalId: string;
  depositId: string;
}

const YEARS = 10;
const DAY_MS = 86_400_000;
/** Both have the same last month, so that screens of a month show as many rows of either. */
const LATE_ENTRIES = 24;
const LATE_DAYS = 70;
/** Weekly, over all the years. */
const MOST_PAYSLIPS = 520;
/** One of this many entries is a request that was never posted. */
const PER_UNPOSTED = 100;
/** One notification for this many entries: notifications are kept for two of the years. */
const PER_NOTIFICATION = 50;
/** Number of transactions posted at the same moment. */
const CHUNK = 25;

/** Kinds in turn; money comes in before it leaves. */
const KINDS = [
  'deposit',
  'funding',
  'deposit',
  'withdrawal',
  'transfer',
  'deposit',
  'bill',
] as const;
type Kind = (typeof KINDS)[number] | 'payroll';
/** Account of the company on the other side; a transfer goes to a colleague. */
const OUTSIDE: Readonly<Record<Exclude<Kind, 'transfer'>, string>> = {
  payroll: 'payroll_funding',
  funding: 'payroll_funding',
  deposit: 'deposit_clearing:ach',
  withdrawal: 'payout_clearing',
  bill: 'bill_clearing',
};
const INCOMING = new Set<string>(['payroll', 'deposit', 'funding']);
const IN_MINOR = 1_000n;
const OUT_MINOR = 250n;

interface Person extends Required<SeededEmployee> {
  entries: number;
}

/**
 * Creates an employee for each of those numbers of entries, over the same ten years. The entries
 * are posted through the ledger, so that they are sealed and proven like any other; their requests
 * are inserted and recorded. It verifies as sound. The database must be settled afterwards.
 *
 * @param url future address of the server: cookies depend on it
 */
export async function makeEmployees(
  { db, appUrl, superuserUrl }: Pick<BenchDatabase, 'db' | 'appUrl' | 'superuserUrl'>,
  { entries, url }: { entries: readonly [number, number]; url: string },
): Promise<[BenchEmployee, BenchEmployee]> {
  const admin = await seedAdmin(db);
  const [few, many, colleague] = await seedEmployees(db, { count: 3 });
  const people = [personOf(few, entries[0]), personOf(many, entries[1])] as const;
  const other = personOf(colleague, 0);
  await postEntries(db, people, { other, adminId: admin.id });
  await using owner = await connect(superuserUrl);
  await owner.run(people.flatMap((person) => besideEntries(person, other, admin.id)));
  await recordCompany(db);
  const pool = createPool({ url: appUrl, max: 2 });
  const vault = createVault({ masterKeys: [{ id: 'bench', key: randomBytes(32) }] });
  const services = { ...createTestServices(), clock: systemClock, vault };
  const identity = createTestIdentity({ db, pool }, services, { url });
  const shown = async (person: Person): Promise<BenchEmployee> => ({
    cookie: await signInCookie(identity, person.id),
    ...(await readThings(db, person)),
  });
  const made: [BenchEmployee, BenchEmployee] = [await shown(people[0]), await shown(people[1])];
  await pool.end();
  return made;
}

/** Ids of what a person opens: the newest of each. */
export async function readThings(
  db: Db,
  { ledgerAccountId, entries }: Pick<Person, 'ledgerAccountId' | 'entries'>,
): Promise<Omit<BenchEmployee, 'cookie'>> {
  const newest = async (kind: string | null) => {
    const { rows } = await sql<{ id: string; subjectId: string }>`
      SELECT one.id, one.subject_id FROM ledger_entry AS entry
        JOIN ledger_transaction AS one ON one.id = entry.transaction_id
       WHERE entry.account_id = ${ledgerAccountId} AND (one.kind = ${kind} OR ${kind}::text IS NULL)
       ORDER BY entry.account_version DESC LIMIT 1`.execute(db);
    return rows[0] ?? { id: '', subjectId: '' };
  };
  const lastMonth = new Date(Date.now() - 32 * DAY_MS).toISOString().slice(0, 7);
  const withdrawal = await newest('withdrawal');
  return {
    entries,
    year: new Date().getUTCFullYear(),
    month: lastMonth,
    eventId: `${(await newest(null)).id}.salary`,
    paidOutId: `${withdrawal.id}.salary`,
    lineId: (await newest('payroll')).subjectId,
    withdrawalId: withdrawal.subjectId,
    depositId: (await newest('deposit')).subjectId,
  };
}

/** Posts the entries of all of them in the order of their time, because the time of an account only advances. */
async function postEntries(
  db: Db,
  people: readonly Person[],
  { other, adminId }: { other: Person; adminId: string },
): Promise<void> {
  const accounts = new Map<string, string>();
  for (const code of new Set(Object.values(OUTSIDE))) {
    accounts.set(code, await withTx(db, (tx) => ensureSystemAccount(tx, code, 'USD')));
  }
  const chunks = people
    .flatMap((person) => chunksOf(person).map((chunk) => ({ person, ...chunk })))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  for (const { person, at, planned } of chunks) {
    const postings = planned.map(({ kind, index }) => {
      const minor = INCOMING.has(kind) ? IN_MINOR : -OUT_MINOR;
      const outside =
        kind === 'transfer' ? other.ledgerAccountId : (accounts.get(OUTSIDE[kind]) ?? '');
      return {
        id: newId(),
        kind,
        reference: referenceOf(person, kind, index),
        description: `Bench ${kind}`,
        actorId: kind === 'transfer' ? person.id : adminId,
        subjectId: newId(),
        entries: [
          { accountId: person.ledgerAccountId, amountMinor: minor },
          { accountId: outside, amountMinor: -minor },
        ],
      };
    });
    // A transaction each: many versions of one row in a single transaction make it slower and
    // slower.
    await withTx(db, (tx) => post(tx, postings, { effectiveAt: at }));
  }
}

function personOf(seeded: SeededEmployee | undefined, entries: number): Person {
  const { id = '', walletId = '', ledgerAccountId = '' } = seeded ?? {};
  return { id, walletId, ledgerAccountId, entries };
}

/** Entries of one moment. */
interface Chunk {
  at: Date;
  planned: { kind: Kind; index: number }[];
}

/** The entries in the order of their time. */
function chunksOf({ entries }: Person): Chunk[] {
  const nowMs = Date.now();
  const beganMs = nowMs - YEARS * 365 * DAY_MS;
  const lateMs = nowMs - LATE_DAYS * DAY_MS;
  const early = entries - unpostedOf(entries) - LATE_ENTRIES;
  const perChunk = early > 10 * CHUNK ? CHUNK : 1;
  const chunkCount = Math.ceil(early / perChunk);
  const payrollEvery = Math.max(10, Math.floor(early / MOST_PAYSLIPS));
  const kindOf = (index: number, isPaid: boolean): Kind =>
    isPaid ? 'payroll' : (KINDS[index % KINDS.length] ?? 'funding');
  const chunks = Array.from({ length: chunkCount }, (_, chunk) => ({
    at: new Date(beganMs + ((lateMs - beganMs) * chunk) / chunkCount),
    planned: Array.from(
      { length: Math.min(perChunk, early - chunk * perChunk) },
      (_entry, place) => {
        const index = chunk * perChunk + place;
        return { index, kind: kindOf(index, index % payrollEvery === 0) };
      },
    ),
  }));
  const late = Array.from({ length: LATE_ENTRIES }, (_, index) => ({
    at: new Date(lateMs + (LATE_DAYS * DAY_MS * index) / LATE_ENTRIES),
    planned: [{ index: early + index, kind: kindOf(index, index % 8 === 0) }],
  }));
  return [...chunks, ...late];
}

function unpostedOf(entries: number): number {
  return Math.max(1, Math.floor(entries / PER_UNPOSTED));
}

/** Reference of a posting as their kinds have them: a payroll has the number of its batch, and the line. */
function referenceOf({ entries }: Person, kind: Kind, index: number): string {
  const number = `${entries}${String(index).padStart(6, '0')}`;
  if (kind === 'payroll') return `PAY-${number}-0001`;
  return kind === 'funding' ? `IF-${number}` : `${kind.slice(0, 3).toUpperCase()}-${number}`;
}

/**
 * Inserts the requests, lines and payments of the entries, one statement a table; closed requests
 * without a posting; notifications.
 */
function besideEntries(person: Person, other: Person, adminId: string): string[] {
  const { id, walletId, ledgerAccountId, entries } = person;
  const [user, wallet, admin] = [`'${id}'::uuid`, `'${walletId}'::uuid`, `'${adminId}'::uuid`];
  const of = (kind: string) => `
    (SELECT one.id, one.subject_id, one.reference, one.effective_at AS at, abs(entry.amount) AS minor
       FROM ledger_entry AS entry JOIN ledger_transaction AS one ON one.id = entry.transaction_id
      WHERE entry.account_id = '${ledgerAccountId}' AND one.kind = '${kind}') AS posting`;
  const unposted = `generate_series(1, ${unpostedOf(entries)}) AS n`;
  return [
    ...[
      ['payroll', 'NULL'],
      ['funding', `'bonus'`],
    ].flatMap(([kind = '', fundingType]) => [
      `INSERT INTO payroll_batch (id, number, name, pay_period, description, wallet_type, department,
                                  amount_minor, currency, status, preview_hash, payable_count,
                                  skipped_count, total_minor, posted_through, paid_count, paid_minor,
                                  created_by, created_at, post_after, started_at, processed_at,
                                  funding_type)
       SELECT subject_id, split_part(reference, '-', 2), 'Salary', 'A week', 'Pay', 'salary',
              'general', minor, 'USD', 'completed', sha256(''), 1, 0, minor, 1, 1, minor, ${admin}, at, at,
              at, at, ${fundingType}
         FROM ${of(kind)}`,
      `INSERT INTO payroll_line (batch_id, line_number, id, user_id, wallet_id, amount_minor, status,
                                 ledger_transaction_id, processed_at)
       SELECT subject_id, 1, subject_id, ${user}, ${wallet}, minor, 'processed', id, at
         FROM ${of(kind)}`,
    ]),
    `INSERT INTO deposit (id, reference, user_id, wallet_id, method, amount_minor, fee_minor, currency,
                          description, status, ledger_transaction_id, moved_by, limit_day,
                          requested_at, moved_at)
     SELECT subject_id, reference, ${user}, ${wallet}, 'ach', minor, 0, 'USD', 'Deposit', 'approved', id,
            ${admin}, at::date, at, at
       FROM ${of('deposit')}`,
    `INSERT INTO deposit (id, reference, user_id, wallet_id, method, amount_minor, fee_minor, currency,
                          description, status, rejection_reason, moved_by, limit_day, requested_at,
                          moved_at)
     SELECT gen_random_uuid(), 'DEP-${entries}9' || lpad(n::text, 6, '0'), ${user}, ${wallet}, 'ach', 100, 0, 'USD',
            'Deposit', 'rejected', 'Not received', ${admin}, current_date - n::integer - 3,
            now() - (n + 3) * interval '1 day', now() - (n + 3) * interval '1 day'
       FROM ${unposted}`,
    `INSERT INTO bank_account (id, user_id, bank_name, account_type, account_number_encrypted,
                               account_number_hash, hash_key_id, last4, routing_number, holder_name,
                               status, moved_by, moved_at)
     VALUES (${user}, ${user}, 'Alder Bank', 'checking', '', uuid_send(${user}), 'bench', '2208',
             '084207311', 'Bench', 'verified', ${admin}, now())`,
    `INSERT INTO withdrawal (id, reference, user_id, wallet_id, bank_account_id, bank_name, bank_last4,
                             amount_minor, currency, urgency, reason, status, hold_id,
                             ledger_transaction_id, transaction_reference, requested_at, moved_at,
                             moved_by)
     SELECT subject_id, 'WD-' || split_part(reference, '-', 2), ${user}, ${wallet}, ${user}, 'Alder Bank', '2208',
            minor, 'USD', 'medium', 'Rent', 'completed', gen_random_uuid(), id, reference, at, at, ${admin}
       FROM ${of('withdrawal')}`,
    `INSERT INTO payee (id, user_id, kind, name, account_type, account_number_encrypted, last4,
                        routing_number, customer_number, is_saved, created_at)
     VALUES (${user}, ${user}, 'business', 'Harbor Fiber', 'checking', '', '5502', '021000021', '', true,
             now())`,
    `INSERT INTO payee (id, user_id, kind, colleague_id, created_at)
     VALUES (${wallet}, ${user}, 'colleague', '${other.id}', now())`,
    `INSERT INTO bill (id, reference, user_id, wallet_id, payee_id, payee_name, payee_last4, amount_minor,
                       currency, memo, pay_on, status, hold_id, ledger_transaction_id,
                       transaction_reference, requested_at, moved_at, moved_by, updated_at)
     SELECT subject_id, 'BP-' || split_part(reference, '-', 2), ${user}, ${wallet}, ${user}, 'Harbor Fiber', '5502', minor,
            'USD', '', at::date, 'paid', gen_random_uuid(), id, reference, at, at, ${admin}, at
       FROM ${of('bill')}`,
    ...['withdrawal', 'bill'].map(
      (table) => `
      INSERT INTO ledger_hold (id, account_id, amount, state, reference, transaction_id, placed_at, settled_at)
      SELECT hold_id, '${ledgerAccountId}', amount_minor, 'captured', reference, ledger_transaction_id,
             requested_at, moved_at FROM ${table} WHERE user_id = ${user}`,
    ),
    `INSERT INTO person_payment (id, reference, payer_id, payer_wallet_id, recipient_id,
                                 recipient_wallet_id, amount_minor, currency, note, limit_day,
                                 ledger_transaction_id, paid_at)
     SELECT subject_id, reference, ${user}, ${wallet}, '${other.id}', '${other.walletId}', minor, 'USD',
            '', at::date, id, at
       FROM ${of('transfer')}`,
    `INSERT INTO notification (id, user_id, kind, type, title, message, created_at, read_at)
     SELECT gen_random_uuid(), ${user}, 'payroll-received', 'deposit', 'Payroll received', 'It arrived',
            now() - n * interval '2 hours', CASE WHEN n > 5 THEN now() END
       FROM generate_series(1, greatest(10, ${Math.floor(entries / PER_NOTIFICATION)})) AS n`,
  ];
}
