/** What employees pay: colleagues, at once, and bills on their day. */
export { payPerson } from './pay-person.ts';
export { createStandingBill } from './create-standing-bill.ts';
export { cancelBill } from './change-bill.ts';
export { addPayee } from './outside-payees.ts';
export { completeBill, returnBill, sendBill, stopBill } from './pay-bill.ts';
export { payeeHash } from './payees.ts';
export { paymentHandlers } from './routes.ts';
export { scheduleBill } from './schedule-bill.ts';
export { scheduleStandingBills } from './schedule-standing-bills.ts';
export { takeBills } from './take-bills.ts';
