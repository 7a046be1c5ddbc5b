/**
 * History of people's money: one row for each posted transaction and each request that is not
 * posted. Reads the ledger and the requests; writes nothing.
 */
export { companyActivity } from './company-activity.ts';
export { endOfDay, startOfDay } from './days.ts';
export { eventIdsOf } from './event-ids.ts';
export { presentEvent } from './present.ts';
export { getHistoryEvent, recentHistory } from './recent.ts';
export { postedAs, readOwnRows } from './rows.ts';
export type { EventRow } from './rows.ts';
export { historyScope } from './scope.ts';
export type { HistoryScope } from './scope.ts';
