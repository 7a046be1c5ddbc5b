import type { KeyObject } from 'node:crypto';
import { publicKeyBytes } from './block.ts';
import type { Block } from './block.ts';
import type { Refusal } from './examine-chain.ts';
import type { Signers } from './trusted-keys.ts';

/** The private keys of a process. */
export interface SigningKeys {
  /** The key of this server. */
  current: KeyObject;
  /** Others that it may have been replaced by. Asked only when it was. */
  further: () => readonly KeyObject[];
}

/**
 * The key that signs what follows `head`: the one that the chain was handed over to, else the current
 * one. A refusal where this process has not got it.
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
  const sentence = `The chain was handed over to the key ${due}, which this process has not got: make it PURSER_LEDGER_KEY and restart.`;
  return { refusal: { code: 'key_replaced', sentence } };
}
