export { lastReturnBooker } from './last-return-booker.ts';
export { requireSecondPerson } from './require-second-person.ts';
export { securityHandlers } from './routes.ts';
