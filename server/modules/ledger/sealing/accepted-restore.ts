import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { AcceptedRestore, ListedRecord } from '#server/lib/root-store.ts';
import { isSignedBy, publicKeyBytes, signRoot } from './block.ts';
import type { Signers } from './trusted-keys.ts';

type Decision = Omit<AcceptedRestore, 'publicKey' | 'signature'>;

/** SHA-256 over the decision, one line for each field. */
function digest({ height, root, lostHeight, acceptedAt, reason }: Decision): Buffer {
  const lines = ['purser-restored-1', height, root, lostHeight, acceptedAt.toISOString(), reason];
  return createHash('sha256').update(lines.join('\n')).digest();
}

/**
 * Signs the decision that the chain may continue from an older block than the last exported one.
 */
export function signRestore(decision: Decision, signingKey: KeyObject): AcceptedRestore {
  return {
    ...decision,
    publicKey: publicKeyBytes(signingKey).toString('hex'),
    signature: signRoot(digest(decision), signingKey).toString('hex'),
  };
}

/** Checks that a decision is signed by a key that may decide. */
export function isValidRestore(restore: AcceptedRestore, signers: Signers): boolean {
  const publicKey = Buffer.from(restore.publicKey, 'hex');
  const signature = Buffer.from(restore.signature, 'hex');
  // The server's own key may also decide about the older blocks that it took over.
  const mayDecide =
    signers.isCurrent(publicKey) || signers.mayHaveSigned(publicKey, restore.height);
  return mayDecide && isSignedBy(digest(restore), signature, publicKey);
}

/** True if a root is among those that the operator accepted as lost. */
export function isGivenUp(
  { height, sealedAt }: Pick<Extract<ListedRecord, { sealedAt: Date }>, 'height' | 'sealedAt'>,
  restore: AcceptedRestore,
): boolean {
  return height > restore.height && sealedAt <= restore.acceptedAt;
}
