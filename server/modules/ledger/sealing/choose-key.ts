import type { KeyObject } from 'node:crypto';
import { publicKeyBytes } from './block.ts';
import type { Block } from './block.ts';
import type { Refusal } from './examine-chain.ts';
import type { Signers } from './trusted-keys.ts';

/** Private keys of a process. */
export interface SigningKeys {
  /** The server's configured key. */
  current: KeyObject;
  /** Keys that may have replaced it. Called only if the chain was handed over. */
  further: () => readonly KeyObject[];
}

/**
 * The key that signs the next block after `head`: the one that the chain was handed over to, else
 * the current one. Returns a refusal when this process does not have that key.
 */
export function chooseKey(
  signers: Signers,
  head: Block | undefined,
  { current, further }: SigningKeys,
): { key: KeyObject } | { refusal: Refusal } {
  const due = signers.keyAt((head?.height ?? 0n) + 1n);
  const isDue = (key: KeyObject) => publicKeyBytes(key).toString('hex') === due;
  if (due === undefined || isDue(current)) return { key: current };
  const key = further().find(isDue);
  if (key !== undefined) return { key };
  const sentence = `The chain was handed over to the key ${due}, which this process does not have: make it PURSER_LEDGER_KEY and restart.`;
  return { refusal: { code: 'key_replaced', sentence } };
}
