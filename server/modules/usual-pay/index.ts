/** Usual pay of people: the amounts that each payday begins with. */
export { usualPay } from './usual-pay.ts';
