export { approveDeposit } from './approve-deposit.ts';
export { describeDeposit } from './present.ts';
export { rejectDeposit } from './reject-deposit.ts';
export { depositHandlers } from './routes.ts';
export { requestDeposit } from './request-deposit.ts';
export type { NewDeposit } from './request-deposit.ts';
