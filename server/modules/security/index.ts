export { lastReturnBooker } from './last-return-booker.ts';
export {
  isInForce,
  mayBeSecond,
  readDuties,
  readThreshold,
  refusalBeside,
  refusalOf,
  secondOfTwo,
  thresholdInForce,
  thresholdOf,
} from './duties.ts';
export type { Duties } from './duties.ts';
export { announceDuties, noteDuties } from './note-duties.ts';
export { requireOther, requireSecondPerson } from './require-second-person.ts';
export { securityHandlers } from './routes.ts';
