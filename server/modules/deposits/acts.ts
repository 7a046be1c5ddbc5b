import { actsOf } from '#server/modules/acts/index.ts';
import { deposits } from './deposit.ts';
import { getOwnDeposit, loadAdminDeposit } from './queries.ts';

/** The acts of a deposit that somebody does without a form. */
export const depositActs = actsOf(deposits, { admin: loadAdminDeposit, owner: getOwnDeposit });
