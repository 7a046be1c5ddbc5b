import { DEPARTMENT_IDS } from '#contract/company.ts';

/**
 * People of a company in bulk, and their requests, one statement a table. Rows of one kind are
 * numbered from 1 and their ids follow from the number. Owners are scattered over the people, and
 * the newest rows are those that wait.
 */
export interface Size {
  people: number;
  /** Runs of payroll; each pays everybody once. */
  runs: number;
}

/** Prefix of each table's ids. */
const KINDS = {
  person: 1,
  wallet: 2,
  ledgerAccount: 3,
  bankAccount: 4,
  withdrawal: 5,
  hold: 6,
  deposit: 7,
  application: 8,
  profile: 9,
  batch: 10,
  payrollTransaction: 11,
  depositTransaction: 12,
  withdrawalTransaction: 13,
  systemAccount: 14,
  employeeImport: 15,
  importRow: 16,
  webhook: 17,
  webhookDelivery: 18,
} as const;

/** SQL of the id of the row of that kind with that number. */
export function idOf(kind: keyof typeof KINDS, number: string): string {
  return `bench_id(${KINDS[kind]}, ${number})`;
}

/** The id as text, as in an address. */
export function idText(kind: keyof typeof KINDS, number: number): string {
  const [head, tail] = [KINDS[kind], number].map((part) => part.toString(16));
  return `${head?.padStart(8, '0')}-0000-7000-8000-${tail?.padStart(12, '0')}`;
}

export const BENCH_ID_FUNCTION = `
  CREATE FUNCTION bench_id(kind integer, number bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
    $$ SELECT (lpad(to_hex(kind), 8, '0') || '000070008000' || lpad(to_hex(number), 12, '0'))::uuid $$`;

const WITHDRAWALS_EACH = 5;
export const DEPOSIT_MINOR = 50_000;
/** Prime, so that it visits all people before it repeats. */
const STRIDE = 7_919;

/** SQL of the person who owns the row with that number, from 1. */
export function personOf(number: string, { people }: Size): string {
  return `(1 + ((${number})::bigint * ${STRIDE}) % ${people})::int`;
}

/**
 * SQL of the admin who decides on that person's requests: the first one, and for the first one the
 * second.
 */
export function adminFor(person: string): string {
  return idOf('person', `CASE WHEN ${person} = 1 THEN 2 ELSE 1 END`);
}

/** SQL of an amount between 10.00 and 910.00 for that number. */
function amountOf(number: string): string {
  return `(1000 + ((${number})::bigint * ${STRIDE}) % 90000)`;
}

function oneOf(words: readonly string[], number: string): string {
  return `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[1 + (${number}) % ${words.length}]`;
}

const FIRST_NAMES = ['Maya', 'João', 'Grace', 'Anil', 'Siobhán', 'Renee', 'Tomasz', 'Aiko', 'Omar'];
const SURNAME_STARTS = [
  'Ash',
  'Brook',
  'Carr',
  'Dun',
  'East',
  'Fair',
  'Glen',
  'Hart',
  'Kirk',
  'Lang',
];
const SURNAME_ENDS = ['bury', 'by', 'croft', 'dale', 'field', 'ford', 'ham', 'ley', 'ton', 'wood'];
const BANKS = [
  'Cascade Federal Credit Union',
  'First Harbor Bank',
  'Alder Bank',
  'Prairie Savings',
];
const REASONS = ['Rent', 'Car repair', 'Medical', 'Holiday', 'Withdrawal request'];

const LAST_NAME = `${oneOf(SURNAME_STARTS, 'i / 7')} || ${oneOf(SURNAME_ENDS, 'i / 70')}
  || ' ' || left(md5(i::text), 3)`;

/** Statements in order; `session_replication_role` must be `replica` for those of the ledger. */
export function peopleStatements(size: Size): string[] {
  const { people } = size;
  const everybody = `generate_series(1, ${people}) AS i`;
  const person = idOf('person', 'i');
  return [
    `INSERT INTO app_user (id, email, name, first_name, last_name, role, employee_number, department,
                           created_at, accepted_at)
     SELECT ${person}, 'person' || i || '@bench.test', first || ' ' || last, first, last, 'employee',
            'TR-' || lpad(i::text, 7, '0'), ${oneOf(DEPARTMENT_IDS, 'i - 1')},
            now() - interval '3 years' + i * interval '1 minute', now()
       FROM (SELECT i, ${oneOf(FIRST_NAMES, 'i')} AS first, ${LAST_NAME} AS last
               FROM ${everybody}) AS named`,
    `INSERT INTO employee_import (id, file_name, status, is_mailed, row_count, ready_count,
                                  error_count, duplicate_count, imported_count, failed_count,
                                  created_by, created_at, confirmed_by, confirmed_at, finished_at,
                                  updated_at)
     SELECT ${idOf('employeeImport', '1')}, 'people.csv', 'finished', false, count(*),
            count(*) FILTER (WHERE i % 50 NOT IN (0, 1)), count(*) FILTER (WHERE i % 50 = 0),
            count(*) FILTER (WHERE i % 50 = 1), count(*) FILTER (WHERE i % 50 > 2),
            count(*) FILTER (WHERE i % 50 = 2), ${idOf('person', '1')}, now(),
            ${idOf('person', '1')}, now(), now(), now() FROM ${everybody}`,
    `INSERT INTO employee_import_row (id, import_id, row_number, cells, full_name, email, department,
                                      position, status, user_id)
     SELECT ${idOf('importRow', 'i')}, ${idOf('employeeImport', '1')}, i + 1, '[]', name, email,
            'Sales', '', CASE i % 50 WHEN 0 THEN 'error' WHEN 1 THEN 'duplicate' WHEN 2 THEN 'failed'
                              ELSE 'imported' END, CASE WHEN i % 50 > 2 THEN ${person} END
       FROM ${everybody} JOIN app_user ON app_user.id = ${person}`,
    `INSERT INTO webhook_endpoint (id, url, events, created_by, created_at, secret_encrypted,
                                   secret_owner, secret_at)
     SELECT ${idOf('webhook', '1')}, 'https://purser.test/', '{bench}', ${idOf('person', '1')}, now(), '',
            ${idOf('person', '1')}, now()`,
    `INSERT INTO webhook_delivery (id, endpoint_id, event, subject_id, body, status, attempts)
     SELECT ${idOf('webhookDelivery', 'i')}, ${idOf('webhook', '1')}, 'bench', ${person}, '{}',
            'delivered', 1 FROM ${everybody}`,
    `INSERT INTO ledger_account (id, kind, owner_id, currency, min_available)
     SELECT ${idOf('ledgerAccount', 'i')}, 'salary', ${person}, 'USD', 0 FROM ${everybody}`,
    `INSERT INTO wallet (id, user_id, type, ledger_account_id, account_number_encrypted,
                         account_number_hash, hash_key_id, last4)
     SELECT ${idOf('wallet', 'i')}, ${person}, 'salary', ${idOf('ledgerAccount', 'i')}, '',
            int8send(i), 'bench', lpad((i % 10000)::text, 4, '0') FROM ${everybody}`,
    `INSERT INTO bank_account (id, user_id, bank_name, account_type, account_number_encrypted,
                               account_number_hash, hash_key_id, last4, routing_number, holder_name,
                               status, rejection_reason, moved_by, moved_at, submitted_at)
     SELECT ${idOf('bankAccount', 'i')}, ${idOf('person', personOf('i', size))}, ${oneOf(BANKS, 'i')},
            'checking', '', int8send(i), 'bench', '2208', '084207311', 'Bench', status,
            CASE status WHEN 'rejected' THEN 'Names differ' END,
            CASE WHEN status <> 'pending' THEN ${adminFor(personOf('i', size))} END,
            CASE WHEN status <> 'pending' THEN now() END,
            now() - (${people} - i) * interval '1 minute'
       FROM (SELECT i, CASE WHEN i > ${people} * 0.98 THEN 'pending' WHEN i % 25 = 0 THEN 'rejected'
                            ELSE 'verified' END AS status FROM ${everybody}) AS one`,
    `INSERT INTO kyc_application (id, user_id, status, answers_encrypted, submitted_at, decided_by,
                                  decided_at)
     SELECT ${idOf('application', 'i')}, ${idOf('person', personOf('i', size))}, status, '',
            now() - (${people} - i) * interval '10 minutes',
            CASE WHEN status IN ('approved', 'rejected') THEN ${idOf('person', '1')} END,
            CASE WHEN status IN ('approved', 'rejected') THEN now() END
       FROM (SELECT i, CASE WHEN i > ${people} * 0.98 THEN ${oneOf(['submitted', 'in_review'], 'i')}
                            WHEN i % 50 = 0 THEN 'rejected' WHEN i % 75 = 0 THEN 'resubmit_required'
                            ELSE 'approved' END AS status FROM ${everybody}) AS one`,
    `INSERT INTO kyc_profile (id, user_id, status, review_status, submitted_at, updated_at)
     SELECT ${idOf('profile', 'i')}, ${idOf('person', personOf('i', size))},
            CASE WHEN waits THEN 'pending' ELSE 'verified' END,
            CASE WHEN waits THEN 'submitted' ELSE 'approved' END,
            now() - (${people} - i) * interval '10 minutes', now()
       FROM (SELECT i, i > ${people} * 0.98 AS waits FROM ${everybody} WHERE i % 2 = 0) AS one`,
    `INSERT INTO kyc_document (id, user_id, application_id, type, width, height, byte_size,
                               uploaded_at, destroyed_at)
     SELECT gen_random_uuid(), user_id, id, type, 1, 1, 1, submitted_at, now()
       FROM kyc_application, unnest(ARRAY['id_front', 'id_back']) AS type`,
    `INSERT INTO notification (id, user_id, kind, type, title, message, created_at)
     SELECT gen_random_uuid(), ${idOf('person', personOf('i', size))}, 'payroll-received', 'deposit',
            'Payroll received',
            '$1,920.00 arrived in your Salary Wallet', now() - (5 - turn) * interval '14 days'
       FROM generate_series(1, 5) AS turn, ${everybody}`,
    `INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id, person_id)
     SELECT ${idOf('person', '1')}, 'admin', 'kyc.application_opened', 'kyc_application',
            ${idOf('application', 'i')}, ${idOf('person', personOf('i', size))}
       FROM generate_series(1, 2) AS turn, ${everybody}`,
    ...requestStatements(size),
  ];
}

/** Each person's withdrawals, one of them completed, and their deposits. */
function requestStatements(size: Size): string[] {
  const { people } = size;
  const last = WITHDRAWALS_EACH * people;
  const owner = personOf('n', size);
  const admin = adminFor(owner);
  const isPaid = `status = 'completed'`;
  const isOver = `status IN ('rejected', 'cancelled')`;
  return [
    `INSERT INTO withdrawal (id, reference, user_id, wallet_id, bank_account_id, bank_name, bank_last4,
                             amount_minor, currency, urgency, reason, status, rejection_reason, hold_id,
                             ledger_transaction_id, transaction_reference, requested_at, moved_at,
                             moved_by)
     SELECT ${idOf('withdrawal', 'n')}, 'WD-1' || lpad(n::text, 8, '0'), ${idOf('person', owner)},
            ${idOf('wallet', owner)}, ${idOf('bankAccount', 'i')}, ${oneOf(BANKS, 'i')}, '2208',
            ${amountOf('n')}, 'USD', ${oneOf(['high', 'medium', 'medium', 'low'], 'n')},
            ${oneOf(REASONS, 'n / 3')}, status, CASE status WHEN 'rejected' THEN 'Names differ' END,
            ${idOf('hold', 'n')}, CASE WHEN ${isPaid} THEN ${idOf('withdrawalTransaction', owner)} END,
            CASE WHEN ${isPaid} THEN 'TXN-1' || lpad(n::text, 8, '0') END,
            requested, CASE WHEN status <> 'pending' THEN requested END,
            CASE status WHEN 'pending' THEN NULL WHEN 'cancelled' THEN ${idOf('person', owner)}
                        ELSE ${admin} END
       FROM (SELECT n, 1 + (n - 1) % ${people} AS i,
                    now() - (${last} - n + 1) * interval '30 seconds' AS requested,
                    CASE WHEN n <= ${people} THEN 'completed'
                         WHEN n > ${last} * 0.98
                           THEN ${oneOf(['pending', 'pending', 'approved', 'processing'], 'n')}
                         ELSE ${oneOf(['rejected', 'cancelled'], 'n')} END AS status
               FROM generate_series(1::bigint, ${last}) AS n) AS one`,
    `INSERT INTO ledger_hold (id, account_id, amount, state, reference, transaction_id, settled_at)
     SELECT hold_id, wallet.ledger_account_id, amount_minor,
            CASE WHEN ${isPaid} THEN 'captured' WHEN ${isOver} THEN 'released' ELSE 'held' END,
            reference, ledger_transaction_id,
            CASE WHEN ${isPaid} OR ${isOver} THEN requested_at END
       FROM withdrawal JOIN wallet ON wallet.id = wallet_id`,
    `UPDATE bank_account SET use_count = open.count
       FROM (SELECT bank_account_id, count(*) AS count FROM withdrawal
              WHERE NOT (${isPaid} OR ${isOver}) GROUP BY bank_account_id) AS open
      WHERE open.bank_account_id = bank_account.id`,
    `INSERT INTO deposit (id, reference, user_id, wallet_id, method, amount_minor, fee_minor, currency,
                          description, status, ledger_transaction_id, moved_by, limit_day,
                          requested_at, moved_at)
     SELECT ${idOf('deposit', 'n')}, 'DEP-2' || lpad(n::text, 8, '0'), ${idOf('person', owner)},
            ${idOf('wallet', owner)}, 'ach', ${DEPOSIT_MINOR}, 0, 'USD', 'Deposit',
            CASE WHEN waits THEN 'pending' ELSE 'approved' END,
            CASE WHEN NOT waits THEN ${idOf('depositTransaction', owner)} END,
            CASE WHEN NOT waits THEN ${admin} END, current_date,
            now() - (2 * ${people} - n) * interval '1 minute', CASE WHEN NOT waits THEN now() END
       FROM (SELECT n, n > ${people} AS waits FROM generate_series(1::bigint, ${people} * 51 / 50) AS n)
            AS one`,
  ];
}
