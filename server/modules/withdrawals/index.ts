export { approveAutomatic } from './approve-automatic.ts';
export { withdrawalActs } from './acts.ts';
export { payOutLeaver } from './pay-out-leaver.ts';
export { listOpenWithdrawals, recentWithdrawals } from './queries.ts';
export { placeWithdrawal, requestWithdrawal } from './request-withdrawal.ts';
export { withdrawals } from './withdrawal.ts';
export type { NewWithdrawal } from './request-withdrawal.ts';
