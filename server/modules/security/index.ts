export { requireSecondPerson, secondPersonNeeded } from './require-second-person.ts';
export { securityHandlers } from './routes.ts';
