import { createHash } from 'node:crypto';

/** Length of every hash here, in bytes: SHA-256. */
export const HASH_BYTES = 32;

/** Prefix of an inner node in RFC 6962, so that a node can never be taken for a leaf. */
const NODE_PREFIX = Buffer.from([0x01]);

/**
 * Merkle tree hash of RFC 6962, section 2.1, over leaves that are already hashed. Of n leaves, the
 * left branch has the largest power of two below n. The root over no leaves is the hash of nothing.
 */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return createHash('sha256').digest();
  if (leaves.length === 1) return first;
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
  const left = merkleRoot(leaves.slice(0, split));
  const right = merkleRoot(leaves.slice(split));
  return createHash('sha256').update(NODE_PREFIX).update(left).update(right).digest();
}

/** A neighbour on the path from a leaf to the root, and its side. */
export interface PathStep {
  side: 'left' | 'right';
  hash: Buffer;
}

/**
 * Audit path of RFC 6962, section 2.1.1: the hashes to combine with a leaf, one after another, to
 * get the root.
 *
 * @param index of the leaf, from 0
 */
export function merklePath(leaves: readonly Buffer[], index: number): PathStep[] {
  if (leaves.length <= 1) return [];
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
  const left = leaves.slice(0, split);
  const right = leaves.slice(split);
  return index < split
    ? [...merklePath(left, index), { side: 'right', hash: merkleRoot(right) }]
    : [...merklePath(right, index - split), { side: 'left', hash: merkleRoot(left) }];
}
