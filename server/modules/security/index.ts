export type { AmountLimit } from './amounts-used.ts';
export { countAmount, uncountAlone, usedFacts } from './amounts-used.ts';
export {
  canSeparate,
  dutiesSwitchedOn,
  isAlone,
  isInForce,
  lastOfNeeded,
  mayBeSecond,
  onesWith,
  presentSecondPeople,
  readDuties,
  readThreshold,
  refusalOf,
  secondPersonNeeded,
  takesTwo,
  thresholdInForce,
  thresholdOf,
} from './duties.ts';
export type { Duties, Refusal } from './duties.ts';
export { doProposed, presentAdminProposals } from './admin-proposals.ts';
export {
  closeProposal,
  listProposals,
  lockProposal,
  propose,
  proposedValues,
  refusalOfDiscard,
  refusalOfProposal,
} from './proposals.ts';
export type { Proposal } from './proposals.ts';
export { countInNewBrowser } from './new-browser-limit.ts';
export { peopleNeeded } from './people-needed.ts';
export { announceDuties, noteDuties } from './note-duties.ts';
