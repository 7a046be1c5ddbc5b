import { actsOf } from '#server/modules/acts/index.ts';
import { getOwnWithdrawal, loadAdminWithdrawal } from './queries.ts';
import { withdrawals } from './withdrawal.ts';

/** The acts of a withdrawal that somebody does without a form. */
export const withdrawalActs = actsOf(withdrawals, {
  admin: loadAdminWithdrawal,
  owner: getOwnWithdrawal,
});
