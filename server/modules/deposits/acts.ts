import { actsOf } from '#server/modules/acts/index.ts';
import { deposits } from './deposit.ts';
import { getOwnDeposit, loadAdminDeposit } from './queries.ts';

/** The acts of a deposit that somebody does without a form. */
const acts = actsOf(deposits, { admin: loadAdminDeposit, owner: getOwnDeposit });
export const decideDeposits = acts.handlers;
export const cancelDeposit = acts.commandOf('cancel');
export const approveDeposit = acts.commandOf('approve');
export const rejectDeposit = acts.commandOf('reject');
