export { lastReturnBooker } from './last-return-booker.ts';
export { requireSecondPerson, secondPersonNeeded, thresholdOf } from './require-second-person.ts';
export { securityHandlers } from './routes.ts';
