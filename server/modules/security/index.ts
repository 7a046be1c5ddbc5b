export {
  isInForce,
  mayBeSecond,
  readDuties,
  readThreshold,
  refusalOf,
  secondOfTwo,
  thresholdInForce,
  thresholdOf,
} from './duties.ts';
export type { Duties } from './duties.ts';
export { announceDuties, noteDuties } from './note-duties.ts';
export { requireSecondPerson, secondPersonNeeded } from './require-second-person.ts';
