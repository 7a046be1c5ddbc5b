export { lastReturnBooker } from './last-return-booker.ts';
export {
  recentInviter,
  requireSecondPerson,
  secondPersonNeeded,
  thresholdOf,
  whatWasDone,
} from './require-second-person.ts';
export { securityHandlers } from './routes.ts';
