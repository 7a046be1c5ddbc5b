export {
  canSeparate,
  dutiesSwitchedOn,
  isInForce,
  lastOfNeeded,
  mayBeSecond,
  onesWith,
  readDuties,
  readThreshold,
  refusalOf,
  thresholdInForce,
  thresholdOf,
} from './duties.ts';
export type { Duties } from './duties.ts';
export { peopleNeeded } from './people-needed.ts';
export { announceDuties, noteDuties } from './note-duties.ts';
export { requireSecondPerson, secondPersonNeeded } from './require-second-person.ts';
