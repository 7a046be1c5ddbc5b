/**
 * The only entry point of the ledger. It knows accounts, postings and holds, and no business: the
 * modules that call it decide who pays whom, and for what.
 */
export { captureHold, placeHold, releaseHold } from './holds.ts';
export { ensureSystemAccount, lockAccounts, openAccount, openAccounts } from './accounts.ts';
export { LedgerError, refusing } from './errors.ts';
export type { LedgerErrorCode } from './errors.ts';
export { findPosted } from './find-posted.ts';
export { post } from './post.ts';
export type { PostedTransaction, Posting } from './post.ts';
export { accountBalances, balanceAt, balanceOfPeople, monthlyTotals } from './queries.ts';
export type { AccountBalance, MonthlyTotal } from './queries.ts';
export { reverseAll } from './reverse.ts';
export { signRestore } from './sealing/accepted-restore.ts';
export { toPublicKey } from './sealing/block.ts';
export type { Block as SealBlock } from './sealing/block.ts';
export {
  readBlocksAfter,
  readHandovers,
  readHead,
  readLastOfMonths,
  readSigningHistory,
} from './sealing/chain.ts';
export { createSealer } from './sealing/sealer.ts';
export { readBlocksSetAside, setBlocksAside } from './sealing/set-aside.ts';
export type { BlockSetAside } from './sealing/set-aside.ts';
export type { Sealer } from './sealing/sealer.ts';
export {
  findNextSigningKeys,
  findSigningKey,
  loadNextSigningKey,
  loadSigningKey,
  promoteNextSigningKey,
} from './sealing/signing-key.ts';
export type { NextKeyPlace } from './sealing/signing-key.ts';
export type { FormerKey, TrustedKeys } from './sealing/trusted-keys.ts';
export { readAccountSeals, readSealProof, readSealProofs } from './sealing/proof.ts';
export type { AccountSeal, SealProof } from './sealing/proof.ts';
export { unsealedAgeS } from './sealing/unsealed-age.ts';
export { AUDIT_EVENTS, TRANSACTIONS } from './sealing/sealed-kinds.ts';
export { closedUntil, setTimeZone } from './set-time-zone.ts';
export { isBeingReplaced } from './verify/catalog-check.ts';
export { findingsOf, idsIn } from './verify/check.ts';
export type { Check, Finding, Scope } from './verify/check.ts';
export type { Pace } from './verify/snapshot.ts';
export type { Problem } from './verify/problems.ts';
export { NoLedgerError, verifyLedger } from './verify/verify-ledger.ts';
export type { Verification, VerifyOptions } from './verify/verify-ledger.ts';
