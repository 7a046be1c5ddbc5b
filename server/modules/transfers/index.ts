/** Automatic transfers: the rules of employees, run after each payroll line into a wallet. */
export { changeTransfers } from './change-plan.ts';
export { runTransfers } from './run-transfers.ts';
export { takeBackTransfer } from './take-back.ts';
