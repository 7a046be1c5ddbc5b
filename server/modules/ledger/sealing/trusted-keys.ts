import type { KeyObject } from 'node:crypto';
import type { Reader } from '#server/db/tx.ts';
import { blockRoot, isSignedBy, publicKeyBytes } from './block.ts';
import type { Block } from './block.ts';
import { readHandovers } from './chain.ts';

/** A key that signed earlier blocks, up to a known one. */
export interface FormerKey {
  /** 32 bytes as hex. */
  publicKey: string;
  /** Height of the last block it may have signed. */
  lastHeight: bigint;
}

/** Keys whose signatures are trusted without asking the chain. */
export interface TrustedKeys {
  /** The server's key (or its private half). */
  current: KeyObject;
  former: readonly FormerKey[];
}

/** Rules for who may sign which block, from the trusted keys and the chain's handovers. */
export interface Signers {
  /** True if that key, of 32 bytes, may sign a block of that height. */
  mayHaveSigned(publicKey: Buffer, height: bigint): boolean;
  /** True if that is the server's key. */
  isCurrent(publicKey: Buffer): boolean;
  /**
   * The only key, as hex, that may sign the block of that height; undefined if any known one may.
   */
  keyAt(height: bigint): string | undefined;
}

/**
 * Heights for which the handovers name the signing key: above `after`, up to `upTo` (null: no end).
 */
interface Term {
  /** Hexadecimal. */
  publicKey: string;
  after: bigint;
  upTo: bigint | null;
  isTrusted: boolean;
}

export async function readSigners(reader: Reader, keys: TrustedKeys): Promise<Signers> {
  return signersOf(keys, await readHandovers(reader));
}

/** Checks that a handover block matches its root and is signed by both keys. */
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
 * A handover binds its two keys to each other. The key before it vouches for its successor, which
 * it names. The successor vouches for the history that it took over, which the root covers. So one
 * known key is enough to trust all that are linked to it. For the heights of a term no other key
 * may sign: a key that was replaced, because it may have been stolen, can no longer sign anything.
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

/**
 * Groups the terms between handovers into lines. A line ends where a key was lost before it handed
 * over.
 */
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
    // A lost key hands nothing over. The settings name the last block of its term.
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
