import type { KeyObject } from 'node:crypto';
import type { Reader } from '#server/db/tx.ts';
import { blockRoot, isSignedBy, publicKeyBytes } from './block.ts';
import type { Block } from './block.ts';
import { readHandovers } from './chain.ts';

/** A key that signed blocks before ours, up to one that is known. */
export interface FormerKey {
  /** 32 bytes as hex. */
  publicKey: string;
  /** The last block it may have signed. */
  lastHeight: bigint;
}

/** Whose signatures are believed without asking the chain. */
export interface TrustedKeys {
  /** The key of this server (or its private half). */
  current: KeyObject;
  former: readonly FormerKey[];
}

/** Who may sign which block: the keys that are known, and those that the chain's handovers add. */
export interface Signers {
  /** Whether a block of that height may be signed by that key, of 32 bytes. */
  mayHaveSigned(publicKey: Buffer, height: bigint): boolean;
  /** Whether that is the key of this server. */
  isCurrent(publicKey: Buffer): boolean;
  /** The one key, as hex, that signs the block of that height; undefined where any known one may. */
  keyAt(height: bigint): string | undefined;
}

/** The heights for which handovers say which key signs: above `after`, up to `upTo` (null: no end). */
interface Term {
  /** As hex. */
  publicKey: string;
  after: bigint;
  upTo: bigint | null;
  isTrusted: boolean;
}

export async function readSigners(reader: Reader, keys: TrustedKeys): Promise<Signers> {
  return signersOf(keys, await readHandovers(reader));
}

/** Whether a block that hands the chain over is what it says and is signed by both keys. */
export function isHandover(block: Block): boolean {
  const { root, publicKey, signature, successorKey, successorSignature } = block;
  return (
    successorKey !== null &&
    successorSignature !== null &&
    blockRoot(block).equals(root) &&
    isSignedBy(root, signature, publicKey) &&
    isSignedBy(root, successorSignature, successorKey)
  );
}

/**
 * A handover binds its two keys to each other: the key before it vouches for the one after it, which
 * it names, and that one vouches for the history that it took over, which the root covers. So one
 * known key is enough for all that are linked to it. For the heights of a term no other key may sign:
 * a key that was replaced, because it may be in wrong hands, signs nothing any more.
 *
 * @param handovers by height; those that are not signed by both keys do not count
 */
export function signersOf(keys: TrustedKeys, handovers: readonly Block[]): Signers {
  const current = publicKeyBytes(keys.current).toString('hex');
  const terms = linesOf(handovers.filter(isHandover), keys.former).flatMap((line) =>
    trustFrom(line, current, keys.former),
  );
  const termAt = (height: bigint) => terms.find((term) => term.isTrusted && covers(term, height));
  return {
    mayHaveSigned(publicKey, height) {
      const name = publicKey.toString('hex');
      const term = termAt(height);
      if (term !== undefined) return term.publicKey === name;
      const isFormer = keys.former.some(
        (key) => key.publicKey === name && height <= key.lastHeight,
      );
      return isFormer || name === current;
    },
    isCurrent: (publicKey) => publicKey.toString('hex') === current,
    keyAt: (height) => termAt(height)?.publicKey,
  };
}

function covers({ after, upTo }: Term, height: bigint): boolean {
  return height > after && (upTo === null || height <= upTo);
}

/** The terms between handovers; a line ends where a key was lost before it handed over. */
function linesOf(handovers: readonly Block[], former: readonly FormerKey[]): Term[][] {
  const lines: Term[][] = [];
  let last: Term | undefined;
  for (const { height, publicKey, successorKey } of handovers) {
    const [from, to] = [publicKey.toString('hex'), successorKey?.toString('hex') ?? ''];
    if (last?.publicKey !== from) {
      last = { publicKey: from, after: last?.after ?? 0n, upTo: null, isTrusted: false };
      lines.push([last]);
    }
    last.upTo = height;
    last = { publicKey: to, after: height, upTo: null, isTrusted: false };
    lines.at(-1)?.push(last);
  }
  for (const line of lines) {
    const end = line.at(-1);
    // A key that was lost hands nothing over: the settings say where its term ended.
    const lost = former.find(({ publicKey }) => publicKey === end?.publicKey);
    if (end !== undefined && lost !== undefined) end.upTo = lost.lastHeight;
  }
  return lines;
}

/** Marks the terms of a line that a known key vouches for, forwards and backwards. */
function trustFrom(line: Term[], current: string, former: readonly FormerKey[]): Term[] {
  const isKnown = ({ publicKey }: Term, height: bigint) =>
    publicKey === current ||
    former.some((key) => key.publicKey === publicKey && height <= key.lastHeight);
  const knowsEnd = line.findIndex((term) => term.upTo !== null && isKnown(term, term.upTo));
  const knowsAll = line.findIndex(({ publicKey }) => publicKey === current);
  const firsts = [knowsEnd, knowsAll].filter((index) => index >= 0);
  const knowsBeginning = line.findLastIndex((term) => isKnown(term, term.after + 1n));
  return line.map((term, index) => ({
    ...term,
    isTrusted: firsts.some((first) => index >= first) || index < knowsBeginning,
  }));
}
