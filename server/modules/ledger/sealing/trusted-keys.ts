import type { KeyObject } from 'node:crypto';
import { publicKeyBytes } from './block.ts';

/** A key that signed blocks before ours, up to one that is known. */
export interface FormerKey {
  /** 32 bytes as hex. */
  publicKey: string;
  /** The last block it may have signed. */
  lastHeight: bigint;
}

/** Whose signatures are believed. */
export interface TrustedKeys {
  /** The key of this server (or its private half). */
  current: KeyObject;
  former: readonly FormerKey[];
}

/** Whether a block (or a decision about the chain) of that height may be signed by that key. */
export function isTrusted(keys: TrustedKeys, publicKey: Buffer, height: bigint): boolean {
  if (publicKeyBytes(keys.current).equals(publicKey)) return true;
  const name = publicKey.toString('hex');
  return keys.former.some((key) => key.publicKey === name && height <= key.lastHeight);
}
