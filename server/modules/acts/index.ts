export { act } from './act.ts';
export { journal, publishThing } from './journal.ts';
export type { Doing, Effect, Kept } from './kept.ts';
export { requireMayLeave, whyMayNotLeave } from './may-leave.ts';
export { actsOf } from './handlers.ts';
export { payOutHeld, takeBackPayout } from './pay-out.ts';
