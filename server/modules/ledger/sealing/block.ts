import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { HASH_BYTES } from './merkle.ts';

/** What a block says. Its root covers all of it, and through `previous` all blocks before. */
export interface BlockHeader {
  /** 1, 2, 3, ... */
  height: bigint;
  /** The root of the block before; zeros for the first. */
  previous: Buffer;
  /** Over the leaves of its transactions. */
  merkleRoot: Buffer;
  transactionCount: number;
  sealedAt: Date;
}

/** What the first block names as the root before it. */
export const GENESIS: Buffer = Buffer.alloc(HASH_BYTES);

/** SHA-256 over the header, a line a field. This is what is signed, printed and mailed. */
export function blockRoot(header: BlockHeader): Buffer {
  const lines = [
    'purser-block-1',
    header.height.toString(),
    header.previous.toString('hex'),
    header.merkleRoot.toString('hex'),
    header.transactionCount.toString(),
    header.sealedAt.toISOString(),
  ];
  return createHash('sha256').update(lines.join('\n')).digest();
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

/** Whether the holder of that key (32 bytes) signed that root. */
export function isSignedBy(root: Buffer, signature: Buffer, publicKey: Buffer): boolean {
  const key = createPublicKey({
    key: Buffer.concat([PUBLIC_KEY_PREFIX, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, root, key, signature);
}
