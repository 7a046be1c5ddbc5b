/** What employees pay: colleagues, at once. */
export { payPerson } from './pay-person.ts';
export { paymentHandlers } from './routes.ts';
