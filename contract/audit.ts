/** What the audit trail calls the things that acts are about, by what a reader looks for. */
export const AUDIT_THINGS = {
  settings: ['company_settings', 'security_proposal'],
  people: ['user', 'app_user', 'employee_import'],
  invites: ['invite'],
  apiKeys: ['api_key'],
  webhooks: ['webhook'],
  sessions: ['session', 'operation'],
  bankAccounts: ['bank_account'],
  wallets: ['wallet'],
  deposits: ['deposit', 'deposit_image'],
  withdrawals: ['withdrawal'],
  payroll: ['payroll_batch'],
  identity: ['kyc_application', 'kyc_document', 'kyc_profile', 'kyc_review'],
  books: ['books', 'delivery'],
} as const satisfies Record<string, readonly string[]>;
export type AuditThing = keyof typeof AUDIT_THINGS;
export const AUDIT_THING_IDS = Object.keys(AUDIT_THINGS) as [AuditThing, ...AuditThing[]];

/**
 * Who acted: a person by role, an API key that a person made, somebody who is not signed in, or Purser
 * itself.
 */
export const AUDIT_ROLES = ['employee', 'admin', 'apiKey', 'visitor', 'system'] as const;
export type AuditRole = (typeof AUDIT_ROLES)[number];
