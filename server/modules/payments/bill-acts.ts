import { actsOf } from '#server/modules/acts/index.ts';
import { loadAdminBill, getOwnBill } from './bill-queries.ts';
import { bills } from './bill.ts';

/** The acts of a bill that somebody does without a form. */
const acts = actsOf(bills, { admin: loadAdminBill, owner: getOwnBill });
export const decideBills = acts.handlers;
export const cancelBill = acts.commandOf('cancel');
export const sendBill = acts.commandOf('send');
export const completeBill = acts.commandOf('complete');
export const stopBill = acts.commandOf('stop');
export const returnBill = acts.commandOf('return');
