export { act, movedBy } from './act.ts';
export { actOnMany } from './act-on-many.ts';
export {
  isChangeOpen,
  isReturnDisputed,
  nextAttempt,
  otherAttempts,
  refusalOfDispute,
} from './attempts.ts';
export type { Attempt } from './attempts.ts';
export { isForOthers, takesAnother } from './guard-facts.ts';
export { readKnown } from './guard-facts.ts';
export type { Doing, DoingMany, Effect, Kept, KeptRow, Question } from './kept.ts';
export { inPayoutFile, refusalInFile, refusalToLeave, whyMayNotLeave } from './may-leave.ts';
export { actsOf } from './handlers.ts';
export {
  IN_TRANSIT,
  lockToReturn,
  lockToSend,
  payOutHeld,
  sendHeldInFile,
  settleSent,
  takeBackPayout,
  takeBackPayouts,
  VERIFICATION,
} from './pay-out.ts';
export {
  lastAct,
  lastTime,
  momentOf,
  readActs,
  recordedActs,
  stepsOf,
  withUnwrittenActs,
} from './recorded.ts';
export type { RecordedAct } from './recorded.ts';
export { refusalOfNextStep, refusalsOf, withItsActs } from './offers.ts';
export type { ActsReader, OfferedAct } from './offers.ts';
export { refuse, refuseEach } from './refuse.ts';
export { exportOf, judgeRows, readThingScope, thingRows, withActs } from './lists.ts';
export type { ThingScope } from './lists.ts';
