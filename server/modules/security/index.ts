export { requireSecondPerson, thresholdOf } from './require-second-person.ts';
export { securityHandlers } from './routes.ts';
