export { approveWithdrawal } from './approve-withdrawal.ts';
export { cancelWithdrawal } from './cancel-withdrawal.ts';
export {
  completeWithdrawal,
  returnWithdrawal,
  startProcessingWithdrawal,
} from './pay-out-withdrawal.ts';
export { listOpenWithdrawals, recentWithdrawals } from './queries.ts';
export { rejectWithdrawal, stopWithdrawal } from './reject-withdrawal.ts';
export { requestWithdrawal } from './request-withdrawal.ts';
export type { NewWithdrawal } from './request-withdrawal.ts';
export { withdrawalHandlers } from './routes.ts';
