import { actsOf } from '#server/modules/acts/index.ts';
import { getOwnWithdrawal, loadAdminWithdrawal } from './queries.ts';
import { withdrawals } from './withdrawal.ts';

/** The acts of a withdrawal that somebody does without a form. */
export const withdrawalActs = actsOf(withdrawals, {
  admin: loadAdminWithdrawal,
  owner: getOwnWithdrawal,
});

export const cancelWithdrawal = withdrawalActs.commandOf('cancel');
export const approveWithdrawal = withdrawalActs.commandOf('approve');
export const rejectWithdrawal = withdrawalActs.commandOf('reject');
export const startProcessingWithdrawal = withdrawalActs.commandOf('startProcessing');
export const completeWithdrawal = withdrawalActs.commandOf('complete');
export const stopWithdrawal = withdrawalActs.commandOf('stop');
export const returnWithdrawal = withdrawalActs.commandOf('return');
