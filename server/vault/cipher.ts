import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** First byte of every encrypted value, so that a later format can be distinguished. */
const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

export const KEY_BYTES = 32;

/**
 * Thrown when an encrypted value was changed, moved to another place, or belongs to another key.
 */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/**
 * Encrypts with AES-256-GCM under a random 96-bit nonce (NIST SP 800-38D), which is safe for the
 * few thousand values that one person's key ever encrypts.
 *
 * @param context authenticated but not stored: decrypting needs the same parts
 * @returns format byte, nonce, ciphertext, tag
 */
export function encrypt(
  key: Buffer | KeyObject,
  context: readonly string[],
  plain: Uint8Array,
): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyObject(key), nonce);
  cipher.setAAD(contextBytes(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(FORMAT), nonce, body, cipher.getAuthTag()]);
}

/** Undoes `encrypt`. @throws SealBrokenError */
export function decrypt(
  key: Buffer | KeyObject,
  context: readonly string[],
  sealed: Uint8Array,
): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < HEADER_BYTES + TAG_BYTES || bytes[0] !== FORMAT) {
    throw new SealBrokenError('Not an encrypted value');
  }
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyObject(key),
    bytes.subarray(1, HEADER_BYTES),
    {
      authTagLength: TAG_BYTES,
    },
  );
  decipher.setAAD(contextBytes(context));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    const body = bytes.subarray(HEADER_BYTES, bytes.length - TAG_BYTES);
    const plain = decipher.update(body);
    // Throws for a wrong tag. This mode leaves nothing for it to add.
    decipher.final();
    return plain;
  } catch {
    throw new SealBrokenError('The encrypted value was changed, moved, or belongs to another key');
  }
}

/** A key object, because Node 24 takes 15 µs to decrypt with a Buffer, and 6 µs to make an object of it and use that. */
function keyObject(key: Buffer | KeyObject): KeyObject {
  return Buffer.isBuffer(key) ? createSecretKey(key) : key;
}

/** As JSON, so that no two different lists of parts have the same bytes. */
function contextBytes(parts: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(parts));
}
