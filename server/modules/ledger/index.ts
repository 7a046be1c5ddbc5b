/**
 * The ledger's one door. It knows accounts, postings and holds, and no business: who pays whom for
 * what is decided by the modules that call it.
 */
export { captureHold } from './capture-hold.ts';
export { ensureSystemAccount } from './ensure-system-account.ts';
export { LedgerError } from './errors.ts';
export type { LedgerErrorCode } from './errors.ts';
export { findPosted } from './find-posted.ts';
export { openAccount } from './open-account.ts';
export { placeHold } from './place-hold.ts';
export { post } from './post.ts';
export type { PostedTransaction, Posting } from './posting.ts';
export { accountBalances, balanceAt, monthlyTotals } from './queries.ts';
export type { AccountBalance } from './queries.ts';
export { releaseHold } from './release-hold.ts';
export { reverse } from './reverse.ts';
export { sealLedger } from './seal-ledger.ts';
export { setTimeZone } from './set-time-zone.ts';
export { findSigningKey, loadSigningKey } from './signing-key.ts';
export { readHead, verifyLedger } from './verify-ledger.ts';
export type { Verification, VerifyOptions } from './verify-ledger.ts';
