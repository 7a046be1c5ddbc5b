/** The records of acts and events: the audit trail with its webhooks, notifications, and which screens are read again. */
export { adviceTo, journal, record } from './journal.ts';
export type { AuditDetails, Words } from './journal.ts';
export { checkStatus, refusalOfStatus } from './refusal.ts';
