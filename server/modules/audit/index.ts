export { describeLastAct } from './last-act.ts';
export { recordAudit, unwrittenEntries } from './record.ts';
export type { AuditEntry } from './record.ts';
export { lastStated, readTrail } from './trail.ts';
