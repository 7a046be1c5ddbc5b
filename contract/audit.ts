import { keysOf } from './keys.ts';

/** Names in the audit trail of the things that acts are about, by a reader's question. */
export const AUDIT_THINGS = {
  settings: ['company_settings', 'security_proposal'],
  people: ['user', 'app_user', 'second_person', 'employee_import'],
  invites: ['invite'],
  apiKeys: ['api_key'],
  webhooks: ['webhook'],
  sessions: ['session', 'operation', 'origin'],
  bankAccounts: ['bank_account'],
  companyBank: ['company_bank_account', 'bank_statement', 'bank_line', 'bank_rule'],
  wallets: ['wallet', 'wallet_move', 'account_document'],
  deposits: ['deposit', 'deposit_image'],
  withdrawals: ['withdrawal'],
  payouts: ['payout_file', 'payout_reversal', 'return_file', 'return_entry'],
  payments: ['person_payment', 'bill', 'standing_bill', 'payee', 'transfer_plan'],
  payroll: [
    'payroll_batch',
    'payroll_draft',
    'payroll_line',
    'recovery',
    'usual_pay_change',
    'usual_pay_import',
  ],
  identity: ['kyc_application', 'kyc_document', 'kyc_profile', 'kyc_review'],
  questions: ['question'],
  books: ['books', 'ledger_block', 'month_closing', 'chart_account', 'delivery'],
} as const satisfies Record<string, readonly string[]>;
export type AuditThing = keyof typeof AUDIT_THINGS;
/** Kinds of subject of a record: each has a place in the filter of the audit trail. */
export type AuditSubject = (typeof AUDIT_THINGS)[AuditThing][number];
/** Filter of the audit trail that finds the records about a kind of thing. */
export function auditThingOf(subject: AuditSubject): AuditThing {
  const found = Object.entries(AUDIT_THINGS).find(([, subjects]) =>
    (subjects as readonly string[]).includes(subject),
  );
  if (found === undefined) throw new TypeError(`${subject} has no place in the audit trail`);
  return found[0] as AuditThing;
}
export const AUDIT_THING_IDS = keysOf(AUDIT_THINGS);

/**
 * Kinds of actor: a person by role, an API key that a person made, somebody who is not signed in, or
 * Purser itself.
 */
export const AUDIT_ROLES = ['employee', 'admin', 'apiKey', 'visitor', 'system'] as const;
export type AuditRole = (typeof AUDIT_ROLES)[number];
