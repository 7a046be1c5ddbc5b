import type { SealedBlock } from './api.ts';
import { checkSignature, computeBlockRoot } from './verify-proof.ts';

/** Part of a chain of blocks that was followed, with the results. */
export interface Followed {
  /** Blocks whose roots were computed here, by height. */
  blocks: ReadonlyMap<bigint, SealedBlock>;
  /** The first of them. */
  first: SealedBlock;
  /** The last block that follows from the first. */
  last: SealedBlock;
  /** The key that may sign the block after it. */
  key: string;
}

/** A block that does not follow from the one before it, or nothing where one should be. */
export interface BrokenChain {
  brokenAt: bigint;
}

/** Start of following a chain: a block whose root was computed from its content. */
export function beginAt(block: SealedBlock): Followed {
  return {
    blocks: new Map([[BigInt(block.height), block]]),
    first: block,
    last: block,
    key: block.successorKey ?? block.publicKey,
  };
}

/**
 * Follows the chain over some more blocks: each has the next height, names the root before it, has the
 * root that its header gives, and is signed by the key before, or by the one that a handover named. A
 * browser without Ed25519 follows without the signatures; `checkSignature` of the last block says so.
 */
export async function follow(
  from: Followed,
  blocks: readonly SealedBlock[],
): Promise<Followed | BrokenChain> {
  const known = new Map(from.blocks);
  const computed = await Promise.all(
    blocks.map(async (block) => ({
      root: await computeBlockRoot(block),
      signature: await checkSignature(block),
    })),
  );
  let { last, key } = from;
  for (const [index, block] of blocks.entries()) {
    const height = BigInt(last.height) + 1n;
    const follows =
      block.height === height.toString() &&
      block.previous === last.root &&
      block.publicKey === key &&
      computed[index]?.root === block.root &&
      computed[index].signature !== 'wrong';
    if (!follows) return { brokenAt: height };
    known.set(height, block);
    last = block;
    key = block.successorKey ?? key;
  }
  return { blocks: known, first: from.first, last, key };
}

/**
 * True if the handovers lead from the key of an earlier block to that of a later one: each is signed by
 * both of its keys, and together they have no gap.
 */
export async function leadsTo(
  earlier: SealedBlock,
  handovers: readonly SealedBlock[],
  later: SealedBlock,
): Promise<boolean> {
  let { height, publicKey: key } = earlier;
  for (const handover of handovers) {
    const binds =
      BigInt(handover.height) > BigInt(height) &&
      BigInt(handover.height) < BigInt(later.height) &&
      handover.publicKey === key &&
      (await computeBlockRoot(handover)) === handover.root &&
      (await checkSignature(handover)) !== 'wrong';
    if (!binds || handover.successorKey === null) return false;
    ({ height, successorKey: key } = { ...handover, successorKey: handover.successorKey });
  }
  return key === later.publicKey;
}

/** A root that was kept outside of the company's reach. */
export interface KeptRoot {
  height: bigint;
  root: string;
}

/** Lines of a file of roots that are read; a root covers all before it, so few are enough. */
export const KEPT_ROOTS_MOST = 10_000;

/**
 * Reads a file of roots: a line of JSON for each, as they are downloaded and exported, or a printed line
 * of a statement, `Root of block 1874: 9f3c…`.
 *
 * @returns undefined where a line is neither, or there is none
 */
export function readKeptRoots(text: string): KeptRoot[] | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const roots = lines.slice(0, KEPT_ROOTS_MOST).map((line) => printedRoot(line) ?? jsonRoot(line));
  const known = roots.filter((root) => root !== undefined);
  return known.length === roots.length && known.length > 0 ? known : undefined;
}

function printedRoot(line: string): KeptRoot | undefined {
  const [, height, root] = /^Root of block (\d{1,15}): ([\da-f]{64})$/i.exec(line) ?? [];
  if (height === undefined || root === undefined) return undefined;
  return { height: BigInt(height), root: root.toLowerCase() };
}

function jsonRoot(line: string): KeptRoot | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('height' in value) || !('root' in value)) return undefined;
    const { height, root } = value;
    if (!Number.isSafeInteger(height) || typeof height !== 'number' || height < 1) return undefined;
    if (typeof root !== 'string' || !/^[\da-f]{64}$/.test(root)) return undefined;
    return { height: BigInt(height), root };
  } catch {
    return undefined;
  }
}

/** Result of comparing kept roots with a chain that was followed. */
export type KeptResult =
  /** The newest kept root that is in it; what it seals up to there was not changed since. */
  | { result: 'right'; height: bigint }
  | { result: 'wrong'; height: bigint }
  /** All are of blocks before the first, which they cannot know. */
  | { result: 'older' }
  /** All that could say something are beyond where the chain was followed to. */
  | { result: 'beyond'; height: bigint };

export function compareKept(
  kept: readonly KeptRoot[],
  { blocks, first, last }: Followed,
): KeptResult {
  const useful = kept.filter(({ height }) => height >= BigInt(first.height));
  const beyond = useful.filter(({ height }) => height > BigInt(last.height));
  const within = useful.filter(({ height }) => height <= BigInt(last.height));
  const wrong = within.find(({ height, root }) => blocks.get(height)?.root !== root);
  if (wrong !== undefined) return { result: 'wrong', height: wrong.height };
  const newest = within
    .map(({ height }) => height)
    .toSorted(compareHeights)
    .at(-1);
  if (newest !== undefined) return { result: 'right', height: newest };
  const next = beyond.map(({ height }) => height).toSorted(compareHeights)[0];
  return next === undefined ? { result: 'older' } : { result: 'beyond', height: next };
}

function compareHeights(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
