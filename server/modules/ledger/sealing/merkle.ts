import { hash } from 'node:crypto';

/** Length of every hash here, in bytes: SHA-256. */
export const HASH_BYTES = 32;

/** Prefix of an inner node in RFC 6962, so that a node can never be taken for a leaf. */
const NODE_PREFIX = Buffer.from([0x01]);

type Level = readonly Buffer[];

/** Levels of a tree, from the leaves to the root. */
export type MerkleTree = readonly Level[];

/**
 * Merkle tree hash of RFC 6962, section 2.1, over leaves that are already hashed. Of n leaves, the
 * left branch has the largest power of two below n. The root over no leaves is the hash of nothing.
 */
export function merkleRoot(leaves: Level): Buffer {
  let level = leaves;
  while (level.length > 1) level = parentsOf(level);
  return level[0] ?? hash('sha256', '', 'buffer');
}

/** The same with all its levels: a path of each leaf costs nothing more. */
export function merkleTree(leaves: Level): MerkleTree {
  const levels = [leaves];
  for (let level = leaves; level.length > 1;) {
    level = parentsOf(level);
    levels.push(level);
  }
  return levels;
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
export function merklePath(tree: MerkleTree, index: number): PathStep[] {
  return tree.flatMap((level, height) => {
    const place = Math.floor(index / 2 ** height);
    const isLeft = place % 2 === 0;
    const neighbour = level[isLeft ? place + 1 : place - 1];
    return neighbour === undefined
      ? []
      : [{ side: isLeft ? ('right' as const) : ('left' as const), hash: neighbour }];
  });
}

/** Nodes over pairs of neighbours. The last one of an odd number has no neighbour, and moves up as it is. */
function parentsOf(level: Level): Buffer[] {
  return level.flatMap((left, index) => {
    if (index % 2 === 1) return [];
    const right = level[index + 1];
    return right === undefined
      ? left
      : hash('sha256', Buffer.concat([NODE_PREFIX, left, right]), 'buffer');
  });
}
