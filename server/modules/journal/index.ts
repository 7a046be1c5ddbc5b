/** The records of acts: the audit trail with its webhooks, notifications, and which screens are read again. */
export { journal, publishThing } from './journal.ts';
export type { AuditDetails, Words } from './journal.ts';
