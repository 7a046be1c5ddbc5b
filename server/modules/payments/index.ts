/** Payments of employees: to colleagues immediately, and bills on their day. */
export { checkFunds } from './check-funds.ts';
export { moveMoney, postMove } from './move-money.ts';
export { payPerson } from './pay-person.ts';
export { createStandingBill } from './create-standing-bill.ts';
export { billActs } from './bill-acts.ts';
export { bills } from './bill.ts';
export { addPayee, payeeNumberPlace } from './outside-payees.ts';
export { payeeHash } from './payees.ts';
export { reportPayeeChange } from './returned-payees.ts';
export { scheduleBill } from './schedule-bill.ts';
export { scheduleStandingBills } from './schedule-standing-bills.ts';
export { takeBills } from './take-bills.ts';
