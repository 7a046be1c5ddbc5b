import type { EventTopic } from '#contract/live-topics.ts';
import type { SourceFile } from './architecture.ts';

/**
 * Owner of each table: the folder whose code alone writes it. Any may read it in SQL. What is deleted
 * when its time is over is deleted by `server/jobs/retention.ts`, from a list.
 *
 * Each table has the live topics of the screens that show it: a command that writes it declares one of them
 * (declared-changes.ts).
 */
const TABLES: Readonly<Record<string, Readonly<Record<string, readonly EventTopic[]>>>> = {
  'server/db': {
    purser_migration: [],
    reference_number: [],
  },
  'server/events': {
    outbox: [],
    outbox_failed: ['deliveries'],
    webhook_delivery: ['deliveries'],
  },
  'server/http': {
    idempotency_key: [],
  },
  'server/jobs': {
    health_check: [],
    graphile_worker: [],
  },
  'server/vault': {
    data_key: [],
    lookup_key: [],
  },
  'server/modules/audit': {
    audit_event: [],
    audit_origin: [],
  },
  'server/modules/settings': {
    company_settings: ['settings'],
    setting_change: ['settings'],
  },
  'server/modules/notifications': {
    notification: ['notifications'],
    email_preference: ['notifications', 'people'],
    email_digest: [],
    email_digest_item: [],
    mail_suppression: ['notifications', 'people'],
  },
  'server/modules/identity': {
    app_user: ['people', 'sessions'],
    auth_account: [],
    auth_session: ['sessions'],
    auth_verification: [],
    admin_invite: ['people'],
    auth_two_factor: ['people'],
    auth_passkey: [],
    rate_limit: [],
    email_change: [],
    known_place: [],
    api_key: ['people'],
    calendar_feed: ['notifications', 'people'],
    second_person_wait: ['people'],
    name_correction: ['people'],
  },
  'server/modules/ledger': {
    ledger_account: [],
    ledger_transaction: ['wallets'],
    ledger_entry: ['wallets'],
    ledger_hold: ['wallets'],
    ledger_total: [],
    ledger_calendar: [],
    ledger_block: [],
    ledger_block_set_aside: [],
    ledger_seal: [],
    ledger_account_seal: [],
    audit_seal: [],
    ledger_unsealed: [],
    ledger_account_unsealed: [],
    audit_unsealed: [],
  },
  'server/modules/kyc': {
    kyc_application: ['kyc', 'people'],
    kyc_action: ['kyc'],
    kyc_document: ['kyc'],
    kyc_profile: ['kyc'],
    kyc_claim: ['kyc'],
    kyc_file: [],
    kyc_note: ['kyc'],
  },
  'server/modules/wallets': {
    wallet: ['wallets', 'people'],
  },
  'server/modules/security': {
    duty_in_force: ['settings'],
    new_browser_sum: [],
    amount_used: [],
    security_proposal: ['settings', 'closing'],
  },
  'server/modules/acts': {
    thing_move: [],
  },
  'server/modules/employees': {
    employee_import: ['imports'],
    employee_import_row: ['imports'],
    avatar: ['people'],
  },
  'server/modules/bank-accounts': {
    bank_account: ['bank-accounts', 'withdrawals'],
    micro_deposit_try: ['bank-accounts'],
  },
  'server/modules/questions': {
    question: ['questions'],
  },
  'server/modules/deposits': {
    deposit: ['deposits'],
    deposit_image: ['deposits'],
  },
  'server/modules/withdrawals': {
    withdrawal: ['withdrawals'],
  },
  'server/modules/payouts': {
    payout_counter: ['payouts'],
    payout_file: ['payouts'],
    payout_file_item: ['payouts'],
    payout_reversal: ['payouts'],
    return_file: ['payouts'],
    return_entry: ['payouts'],
  },
  'server/modules/payments': {
    person_payment: ['payments'],
    wallet_move: ['wallets'],
    payee: ['payments'],
    bill: ['payments'],
    standing_bill: ['payments'],
  },
  'server/modules/imports': {
    file_columns: [],
  },
  'server/modules/usual-pay': {
    usual_pay_change: ['payroll'],
    usual_pay_line: ['payroll'],
    usual_pay_import: ['imports'],
  },
  'server/modules/payroll': {
    payroll_batch: ['payroll'],
    payroll_line: ['payroll'],
    payroll_draft: ['payroll'],
    payroll_draft_person: ['payroll'],
    payroll_reminder: [],
    payroll_reversal: ['payroll'],
    recovery: ['payroll'],
    recovery_instalment: ['payroll'],
    payroll_acknowledgement: ['payroll'],
    payroll_due_transfer: [],
  },
  'server/modules/transfers': {
    transfer_plan: ['payments'],
    transfer_rule: ['payments'],
    transfer_run: ['payments'],
    automatic_transfer: ['payments'],
  },
  'server/modules/company-bank': {
    company_bank_account: ['company-bank'],
    bank_start: [],
    bank_statement: ['company-bank'],
    bank_line: ['company-bank'],
    bank_line_part: ['company-bank'],
    bank_match: ['company-bank'],
    bank_match_total: ['company-bank'],
    bank_open_total: ['company-bank'],
    bank_rule: ['company-bank'],
  },
  'server/modules/closing': {
    month_closing: ['closing'],
    month_journal_line: ['closing'],
    chart_account: ['closing'],
    journal_export: ['closing'],
  },
  'server/modules/books': {
    verification_run: ['books'],
    restore_drill: [],
  },
  'server/modules/webhooks': {
    webhook_endpoint: ['deliveries'],
  },
  'server/modules/saved-views': {
    saved_view: ['saved-views'],
  },
  'server/modules/company': {
    company_setup: ['settings'],
    company_setup_step: ['settings'],
  },
};

export const OWNED_TABLES = Object.values(TABLES).flatMap((tables) => Object.keys(tables));

/** Live topics of the screens that show a table. */
export function topicsOfTable(table: string): readonly EventTopic[] {
  return TABLES[OWNER_OF.get(table) ?? '']?.[table] ?? [];
}

const OWNER_OF = new Map(
  Object.entries(TABLES).flatMap(([owner, tables]) =>
    Object.keys(tables).map((table) => [table, owner] as const),
  ),
);

const WRITES = [
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g,
  /\b(?:INSERT|MERGE)\s+INTO\s+(\w+)/gi,
  /\bDELETE\s+FROM\s+(\w+)/gi,
  /\bTRUNCATE\s+(?:TABLE\s+)?(\w+)/gi,
  /(?<!\b(?:FOR|KEY|DO)\s+)\bUPDATE\s+(\w+)(?:\.\w+)?(?:\s+(?:AS\s+)?\w+)?\s+SET\b/gi,
];

/** The functions by which the ledger is written. */
const LEDGER_WRITES =
  /\b(?:SELECT|FROM|JOIN)\s+(ledger_(?:post|account_open|account_ensure_system|hold_place|hold_release|block_append|block_hand_over|set_time_zone))\(/gi;

/** One sentence for each write of a table that belongs to another folder. Reads the text alone. */
export function findForeignWrites({ path, text }: SourceFile): string[] {
  const tables = WRITES.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, name = '']) => toSnakeCase(name)),
  );
  const foreign = tables.flatMap((table) => {
    const owner = OWNER_OF.get(table);
    if (owner === undefined || path.startsWith(`${owner}/`)) return [];
    return [`${path} writes ${table}, which is of ${owner}`];
  });
  const isLedger = path.startsWith('server/modules/ledger/');
  const calls = isLedger ? [] : Array.from(text.matchAll(LEDGER_WRITES));
  return [...foreign, ...calls.map(([, name]) => `${path} calls ${name}, past the ledger's door`)];
}

/** Columns that have the status of a thing, or from which it follows, by its table. */
const STATUS_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      'withdrawal',
      'deposit',
      'bill',
      'bank_account',
      'payroll_batch',
      'kyc_application',
      'kyc_document',
    ].map((table) => [table, ['status']]),
  ),
  app_user: ['accepted_at', 'deactivated_at', 'role'],
  admin_invite: ['redeemed_at', 'revoked_at'],
  api_key: ['revoked_at'],
};

/** A statement that changes a row of a thing, up to its end. */
const UPDATES = /\.updateTable\(\s*'(\w+)'[^;]*?\.execute|\bUPDATE\s+(\w+)\s[^`;]*/gi;

/** One sentence for each change of a thing's status that `act` does not make. Reads the text alone. */
export function findStatusChanges({ path, text }: SourceFile): string[] {
  return Array.from(text.matchAll(UPDATES)).flatMap(([statement, byBuilder, bySql]) => {
    const table = toSnakeCase(byBuilder ?? bySql ?? '');
    const set = toSnakeCase(statement.replace(/\.where\([\s\S]*|\bWHERE\b[\s\S]*/i, ''));
    const isChange = STATUS_COLUMNS[table]?.some((column) =>
      new RegExp(`\\b${column}(?::|\\s*=|,)`).test(set),
    );
    return isChange === true ? [`${path} changes the status of ${table} itself`] : [];
  });
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
