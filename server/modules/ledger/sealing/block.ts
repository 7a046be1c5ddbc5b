import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { HASH_BYTES } from './merkle.ts';

/** What a block says of one kind of thing that it seals. */
export interface Sealed {
  /** Merkle root over the leaves. */
  root: Buffer;
  /** How many leaves. */
  count: number;
}

/** What a block says. Its root covers all of it, and through `previous` all blocks before. */
export interface BlockHeader {
  /**
   * 1 sealed transactions alone; 2 seals accounts and audit events, too; 3 seals nothing and hands the
   * chain over to another key.
   */
  version: number;
  /** 1, 2, 3, ... */
  height: bigint;
  /** The root of the block before; zeros for the first. */
  previous: Buffer;
  transactions: Sealed;
  accounts: Sealed;
  auditEvents: Sealed;
  sealedAt: Date;
  /** Of version 3: the 32 bytes of the key that signs all blocks after it. Else null. */
  successorKey: Buffer | null;
}

/** A block as it is kept. */
export interface Block extends BlockHeader {
  root: Buffer;
  /** Who signed the root: the 32 bytes of an Ed25519 public key. */
  publicKey: Buffer;
  signature: Buffer;
  /** Of version 3: the successor's signature of the same root. Else null. */
  successorSignature: Buffer | null;
}

/** What the sealer makes of what it seals. */
export const BLOCK_VERSION = 2;
/** What hands the chain over to another key. */
export const HANDOVER_VERSION = 3;
/** What blocks seal that seal nothing (RFC 6962). */
export const NOTHING_SEALED: Sealed = { root: createHash('sha256').digest(), count: 0 };

/** What the first block names as the root before it. */
export const GENESIS: Buffer = Buffer.alloc(HASH_BYTES);

/** SHA-256 over the header, a line a field. This is what is signed, printed and exported. */
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

/** The Ed25519 signature of a root, 64 bytes. */
export function signRoot(root: Buffer, privateKey: KeyObject): Buffer {
  return sign(null, root, privateKey);
}

/** DER before the 32 bytes of an Ed25519 public key (RFC 8410). */
const PUBLIC_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The 32 bytes of an Ed25519 public key. A private key gives those of its public half. */
export function publicKeyBytes(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(PUBLIC_KEY_PREFIX.length);
}

/** The Ed25519 public key of those 32 bytes. */
export function toPublicKey(bytes: Buffer): KeyObject {
  const der = Buffer.concat([PUBLIC_KEY_PREFIX, bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** The key used last: a chain is signed by one, and making it costs more than using it. */
let latest: { bytes: Buffer; key: KeyObject } | undefined;

/** Whether the holder of that key (32 bytes) signed that root. */
export function isSignedBy(root: Buffer, signature: Buffer, publicKey: Buffer): boolean {
  if (publicKey.length !== HASH_BYTES) return false;
  if (latest?.bytes.equals(publicKey) !== true) {
    latest = { bytes: Buffer.from(publicKey), key: toPublicKey(publicKey) };
  }
  return verify(null, root, latest.key, signature);
}
