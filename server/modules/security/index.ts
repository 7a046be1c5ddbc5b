export { requireSecondPerson, secondPersonNeeded, thresholdOf } from './require-second-person.ts';
export { securityHandlers } from './routes.ts';
