/** Usual pay of people: the amounts that each payday begins with. */
export { changeUsualPay } from './change-usual-pay.ts';
export { readPerson, usualPay } from './usual-pay.ts';
