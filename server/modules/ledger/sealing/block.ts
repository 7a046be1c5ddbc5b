import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { HASH_BYTES } from './merkle.ts';

/** A block's summary of one kind of row that it seals. */
export interface Sealed {
  /** Merkle root over the leaves. */
  root: Buffer;
  /** Number of leaves. */
  count: number;
}

/** Content of a block. Its root covers all of it, and through `previous` all earlier blocks. */
export interface BlockHeader {
  /**
   * Version 1 seals transactions only; 2 seals accounts and audit events, too; 3 seals nothing and
   * hands the chain over to another key.
   */
  version: number;
  /** 1, 2, 3, ... */
  height: bigint;
  /** Root of the previous block; zeros for the first. */
  previous: Buffer;
  transactions: Sealed;
  accounts: Sealed;
  auditEvents: Sealed;
  sealedAt: Date;
  /** Version 3: 32 bytes of the key that signs all later blocks. Otherwise null. */
  successorKey: Buffer | null;
}

/** A block as stored. */
export interface Block extends BlockHeader {
  root: Buffer;
  /** Signer of the root: 32 bytes of an Ed25519 public key. */
  publicKey: Buffer;
  signature: Buffer;
  /** Version 3: the successor's signature of the same root. Otherwise null. */
  successorSignature: Buffer | null;
}

/** Version of the blocks that the sealer writes. */
export const BLOCK_VERSION = 2;
/** Version of a block that hands the chain over to another key. */
export const HANDOVER_VERSION = 3;
/** Value for a kind of which a block seals no rows (RFC 6962). */
export const NOTHING_SEALED: Sealed = { root: createHash('sha256').digest(), count: 0 };

/** Previous root of the first block. */
export const GENESIS: Buffer = Buffer.alloc(HASH_BYTES);

/** SHA-256 over the header, one line for each field. This value is signed, printed and exported. */
export function blockRoot(header: BlockHeader): Buffer {
  const { version, height, previous, sealedAt } = header;
  const lines = [
    `purser-block-${version}`,
    height.toString(),
    previous.toString('hex'),
    ...contentLines(header),
    sealedAt.toISOString(),
  ];
  return createHash('sha256').update(lines.join('\n')).digest();
}

function contentLines(header: BlockHeader): string[] {
  const { version, transactions, accounts, auditEvents, successorKey } = header;
  if (version === HANDOVER_VERSION) return [successorKey?.toString('hex') ?? ''];
  const kinds = version === 1 ? [transactions] : [transactions, accounts, auditEvents];
  return kinds.flatMap(({ root, count }) => [root.toString('hex'), count.toString()]);
}

/** Ed25519 signature of a root, 64 bytes. */
export function signRoot(root: Buffer, privateKey: KeyObject): Buffer {
  return sign(null, root, privateKey);
}

/** DER before the 32 bytes of an Ed25519 public key (RFC 8410). */
const PUBLIC_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The 32 bytes of an Ed25519 public key. For a private key, those of its public half. */
export function publicKeyBytes(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(PUBLIC_KEY_PREFIX.length);
}

/** Ed25519 public key from its 32 bytes. */
export function toPublicKey(bytes: Buffer): KeyObject {
  const der = Buffer.concat([PUBLIC_KEY_PREFIX, bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/**
 * Cache of the last key. One key signs most of a chain, and parsing it costs more than using it.
 */
let latest: { bytes: Buffer; key: KeyObject } | undefined;

/** Verifies a root's signature by a public key of 32 bytes. */
export function isSignedBy(root: Buffer, signature: Buffer, publicKey: Buffer): boolean {
  if (publicKey.length !== HASH_BYTES) return false;
  if (latest?.bytes.equals(publicKey) !== true) {
    latest = { bytes: Buffer.from(publicKey), key: toPublicKey(publicKey) };
  }
  return verify(null, root, latest.key, signature);
}
