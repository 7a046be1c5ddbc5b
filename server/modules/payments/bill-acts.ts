import { actsOf } from '#server/modules/acts/index.ts';
import { loadAdminBill, getOwnBill } from './bill-queries.ts';
import { bills } from './bill.ts';

/** The acts of a bill that somebody does without a form. */
export const billActs = actsOf(bills, { admin: loadAdminBill, owner: getOwnBill });
