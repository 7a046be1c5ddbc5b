import {
  TRANSFER_KINDS,
  TRANSFER_PROBLEM_IDS,
  TRANSFER_RUN_OUTCOMES,
} from '#contract/automatic-transfers.ts';
import { REVERSAL_REASON_IDS, PAYROLL_DIFFERENCES } from '#contract/payroll.ts';
import {
  BANK_DIRECTIONS,
  BANK_ITEM_KINDS,
  MATCH_REASONS,
  OWN_KINDS,
  STATEMENT_FORMATS,
} from '#contract/company-bank.ts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BANK_ACCOUNT_PROOFS, BANK_ACCOUNT_TYPES } from '#contract/bank-accounts.ts';
import { BILL_FREQUENCIES, PAYEE_KINDS } from '#contract/bills.ts';
import { TIME_ZONE_IDS } from '#contract/time-zones.ts';
import { FUNDING_TYPE_IDS } from '#contract/funding.ts';
import { AUDIT_ROLES } from '#contract/audit.ts';
import { JOURNAL_ACCOUNTS, JOURNAL_FORMATS } from '#contract/closing.ts';
import { DUTY_SETTINGS, PROPOSED_ACTS } from '#contract/duties.ts';
import { IMPORT_STATUSES } from '#contract/employee-import.ts';
import { USUAL_PAY_IMPORT_STATUSES } from '#contract/usual-pay-file.ts';
import { WEBHOOK_DELIVERY_STATUSES } from '#contract/webhooks.ts';
import { NUMBER_CHECKS } from '#contract/questions.ts';
import { ROLES } from '#contract/identity.ts';
import {
  KYC_DOCUMENT_STATUSES,
  KYC_DOCUMENT_TYPES,
  KYC_EVENTS,
  KYC_STATUSES,
  REVIEW_STATUSES,
  VERIFICATION_STATUSES,
} from '#contract/kyc.ts';
import { CURRENCIES } from '#contract/money.ts';
import { SETUP_OUTCOMES, SETUP_STEP_OUTCOMES, SETUP_STEPS } from '#contract/company-setup.ts';
import { EMAIL_FREQUENCIES } from '#contract/notifications.ts';
import { AMOUNT_SOURCES } from '#contract/payroll.ts';
import { PAYEE_GROUPS, PAYOUT_FORMATS, BANK_REVERSAL_REASONS } from '#contract/payouts.ts';
import { RETURN_CAUSES, RETURN_ENTRY_KINDS, RETURN_ENTRY_STATUSES } from '#contract/returns.ts';
import { SETTINGS } from '#contract/settings.ts';
import { JOIN_POLICIES } from '#contract/people.ts';
import {
  BANK_ACCOUNT_STATUSES,
  BILL_STATUSES,
  CHECK_SIDES,
  IMPORT_ROW_STATUSES,
  DEPOSIT_STATUSES,
  PAYOUT_FILE_STATUSES,
  PAYOUT_REVERSAL_STATUSES,
  PAYROLL_DRAFT_STATUSES,
  PAYROLL_LINE_STATUSES,
  PAYROLL_STATUSES,
  URGENCIES,
  RECOVERY_STATUSES,
  USUAL_PAY_STATUSES,
  WITHDRAWAL_STATUSES,
} from '#contract/statuses.ts';
import { bill } from '#contract/things/bill.ts';
import { deposit } from '#contract/things/deposit.ts';
import type { Thing } from '#contract/things/thing.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { createTestDatabase } from '#test/database.ts';
import type { TestDatabase } from '#test/database.ts';
import { checkedValues, narrowColumns } from './column-types.ts';
import { compareCatalog, readExpectedCatalog } from './compare-catalog.ts';
import { readCatalog } from './read-catalog.ts';
import type { Catalog } from './read-catalog.ts';

const ROOT = join(import.meta.dirname, '../../..');
const HINT = 'npm run db:generate writes it down';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function read(url: string): Promise<Catalog> {
  const pool = createPool({ url, max: 1 });
  const catalog = await withTx(createDb(pool), readCatalog);
  await pool.end();
  return catalog;
}

test('is what the migrations create, for every reader and on every version of PostgreSQL', async () => {
  const expected = Object.fromEntries(readExpectedCatalog());
  expect(Object.fromEntries(await read(database.ownerUrl)), HINT).toEqual(expected);
  expect(Object.fromEntries(await read(database.appUrl))).toEqual(expected);
});

test('the row types match the tables', async () => {
  const codegen = join(ROOT, 'node_modules/.bin/kysely-codegen');
  const args = ['--url', database.ownerUrl, '--print'];
  const { stdout } = await promisify(execFile)(codegen, args, { cwd: ROOT });
  const types = readFileSync(join(ROOT, 'server/db/schema.ts'), 'utf8');
  expect(types, HINT).toBe(narrowColumns(stdout, readExpectedCatalog()));
});

test('refuses to narrow a column that is not text', () => {
  const catalog = new Map([
    ['constraint public.a.b', "CHECK ((status = ANY (ARRAY['x'::text, 'y'::text])))"],
  ]);
  const narrow = (type: string) => () =>
    narrowColumns(`export interface A {\n  status: ${type};\n}\n`, catalog);
  expect(narrow('number')).toThrow('No column of text: a.status');
});

/** List in contract/ that each CHECK repeats; values that only the server uses have none. */
const LISTS: Readonly<Record<string, readonly string[] | 'of the server'>> = {
  'amount_used.limit_name': 'of the server',
  'app_user.role': ROLES,
  'automatic_transfer.problem': TRANSFER_PROBLEM_IDS,
  'audit_event.actor_role': AUDIT_ROLES,
  'bank_account.account_type': BANK_ACCOUNT_TYPES,
  'bank_account.status': BANK_ACCOUNT_STATUSES,
  'company_settings.currency': CURRENCIES,
  'company_settings.demo': 'of the server',
  'company_settings.initial_email_frequency': EMAIL_FREQUENCIES,
  'company_settings.join_policy': JOIN_POLICIES,
  'company_settings.payday_moves': 'of the server',
  'company_settings.payroll_day': 'of the server',
  'company_settings.payroll_days': 'of the server',
  'company_settings.payroll_frequency': 'of the server',
  'company_settings.time_zone': TIME_ZONE_IDS,
  'company_setup.outcome': SETUP_OUTCOMES,
  'company_setup_step.outcome': SETUP_STEP_OUTCOMES,
  'company_setup_step.step': SETUP_STEPS,
  'webhook_delivery.status': WEBHOOK_DELIVERY_STATUSES,
  'bill.status': BILL_STATUSES,
  'payout_file.status': PAYOUT_FILE_STATUSES,
  'payout_file.format': PAYOUT_FORMATS,
  'payout_reversal.reason': BANK_REVERSAL_REASONS,
  'payout_reversal.status': PAYOUT_REVERSAL_STATUSES,
  'payout_file_item.payees': PAYEE_GROUPS,
  'return_entry.kind': RETURN_ENTRY_KINDS,
  'return_entry.status': RETURN_ENTRY_STATUSES,
  'return_entry.cause': Object.keys(RETURN_CAUSES),
  'company_settings.payout_format': Object.keys(SETTINGS.payoutFormat.options),
  'company_settings.bank_account_proof': BANK_ACCOUNT_PROOFS,
  'company_settings.payout_line_end': Object.keys(SETTINGS.payoutLineEnd.options),
  'company_settings.payout_same_day_until': Object.keys(SETTINGS.payoutSameDayUntil.options),
  'deposit.status': DEPOSIT_STATUSES,
  'deposit_image.side': CHECK_SIDES,
  'company_bank_account.currency': CURRENCIES,
  'bank_line.match_reason': MATCH_REASONS,
  'bank_match.kind': BANK_ITEM_KINDS,
  'bank_rule.direction': BANK_DIRECTIONS,
  'bank_rule.kind': OWN_KINDS,
  'bank_statement.format': STATEMENT_FORMATS,
  'employee_import.status': IMPORT_STATUSES,
  'employee_import_row.status': IMPORT_ROW_STATUSES,
  'duty_in_force.duty': DUTY_SETTINGS,
  'email_preference.email_frequency': EMAIL_FREQUENCIES,
  'kyc_action.action': KYC_EVENTS,
  'kyc_application.status': KYC_STATUSES,
  'kyc_document.status': KYC_DOCUMENT_STATUSES,
  'kyc_document.type': KYC_DOCUMENT_TYPES,
  'kyc_file.state': 'of the server',
  'kyc_profile.review_status': REVIEW_STATUSES,
  'kyc_profile.status': VERIFICATION_STATUSES,
  'ledger_hold.state': 'of the server',
  'chart_account.account': JOURNAL_ACCOUNTS,
  'journal_export.format': JOURNAL_FORMATS,
  'known_place.kind': 'of the server',
  'outbox.kind': 'of the server',
  'payee.account_type': BANK_ACCOUNT_TYPES,
  'payee.kind': ['colleague', ...PAYEE_KINDS],
  'payroll_acknowledgement.difference': PAYROLL_DIFFERENCES,
  'payroll_batch.funding_type': FUNDING_TYPE_IDS,
  'payroll_batch.status': PAYROLL_STATUSES,
  'payroll_batch.wallet_type': WALLET_TYPES,
  'payroll_draft.started_from': AMOUNT_SOURCES,
  'payroll_draft.status': PAYROLL_DRAFT_STATUSES,
  'payroll_draft.wallet_type': WALLET_TYPES,
  'payroll_line.status': PAYROLL_LINE_STATUSES,
  'payroll_reversal.reason': REVERSAL_REASON_IDS,
  'recovery.reason': REVERSAL_REASON_IDS,
  'recovery.status': RECOVERY_STATUSES,
  'recovery.wallet_type': WALLET_TYPES,
  'security_proposal.act': PROPOSED_ACTS,
  'security_proposal.outcome': 'of the server',
  'usual_pay_change.status': USUAL_PAY_STATUSES,
  'usual_pay_import.status': USUAL_PAY_IMPORT_STATUSES,
  'usual_pay_line.wallet_type': WALLET_TYPES,
  'wallet.type': WALLET_TYPES,
  'question.finding_check': NUMBER_CHECKS,
  'standing_bill.frequency': BILL_FREQUENCIES,
  'thing_move.actor': 'of the server',
  'transfer_rule.kind': TRANSFER_KINDS,
  'transfer_run.outcome': TRANSFER_RUN_OUTCOMES,
  'thing_move.money': 'of the server',
  'withdrawal.status': WITHDRAWAL_STATUSES,
  'withdrawal.urgency': URGENCIES,
};

test('the values that the tables allow are those of the contract', () => {
  const checked = checkedValues(readExpectedCatalog());
  expect([...checked.keys()].toSorted(), 'list it here').toEqual(Object.keys(LISTS).toSorted());
  for (const [column, list] of Object.entries(LISTS)) {
    if (list === 'of the server') continue;
    expect(checked.get(column)?.toSorted(), column).toEqual([...list].toSorted());
  }
});

/** Status in which money was posted, or is held, for a request of each kind. */
const MONEY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  withdrawal: {
    pending: 'held',
    approved: 'held',
    processing: 'held',
    completed: 'captured',
    rejected: 'released',
    cancelled: 'released',
    returned: 'reversed',
  },
  bill: {
    scheduled: 'held',
    due: 'held',
    sent: 'held',
    paid: 'captured',
    rejected: 'released',
    cancelled: 'released',
    returned: 'reversed',
  },
  deposit: { pending: 'none', approved: 'credited', rejected: 'none', cancelled: 'none' },
};

test('the moves that the database allows are the acts of the contract', () => {
  const declared = [withdrawal, bill, deposit].flatMap(({ name, acts }: Thing) =>
    Object.entries(acts).flatMap(([act, { from, to, by }]) =>
      // An act that leaves the status as it is moves nothing.
      (to === undefined ? [] : from.length === 0 ? ['nothing'] : from).map((status) => [
        `move ${name}.${act} from ${status}`,
        // A payout file posts what it sends.
        `to ${to} by ${by}, money ${act === 'sendInFile' ? 'captured' : MONEY[name]?.[to ?? '']}`,
      ]),
    ),
  );
  const allowed = [...readExpectedCatalog()].filter(([name]) => name.startsWith('move '));
  expect(allowed.length).toBeGreaterThan(20);
  expect(Object.fromEntries(allowed)).toEqual(Object.fromEntries(declared));
});

test('reports missing, added and different objects', () => {
  const expected = new Map([
    ['rights of app on table public.a', 'SELECT'],
    ['rights of everybody on schema public', 'USAGE'],
    ['table public.a', 'of owner'],
    ['trigger public.a.b', 'CREATE TRIGGER b'],
  ]);
  const actual = new Map([
    ['rights of app on table public.a', 'SELECT, UPDATE'],
    ['table public.a', 'of owner'],
    ['table public.x', 'of owner'],
  ]);
  expect(compareCatalog(actual, expected)).toEqual([
    {
      name: 'rights of app on table public.a',
      what: 'is SELECT, UPDATE; the migrations make it SELECT',
    },
    { name: 'trigger public.a.b', what: 'is missing' },
    { name: 'table public.x', what: 'is made by no migration: of owner' },
  ]);
});

test('expects no rights of a second role where there is none', () => {
  const expected = new Map([
    ['rights of app on table public.a', 'SELECT'],
    ['rights of app as a role', 'role'],
    ['policy purser_app on public.a', 'permissive'],
  ]);
  expect(compareCatalog(new Map(), expected)).toEqual([]);
  expect(compareCatalog(new Map([['rights of app as a role', 'superuser']]), expected)).toEqual([]);
});
