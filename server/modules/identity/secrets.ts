import { createHash } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesToHex, hexToBytes, managedNonce, utf8ToBytes } from '@noble/ciphers/utils.js';

/** Secrets of the server, current first: that one signs and encrypts, the others are still accepted. */
export type Secrets = readonly string[];

/**
 * Number by which encrypted text names its secret, wherever the secret is in the list: 32 bits of a hash,
 * which say nothing about a random secret.
 */
export function secretVersion(secret: string): number {
  return createHash('sha256').update(`secret version ${secret}`).digest().readUInt32BE();
}

/** Marks text that names the version of its secret. Better Auth wrote it first, hence the name. */
const ENVELOPE = /^\$ba\$(\d+)\$/;

/** Encrypts a text under the current secret: XChaCha20-Poly1305 with a random nonce, in hexadecimal. */
export function encryptText([current = '']: Secrets, text: string): string {
  const encrypted = cipherOf(current).encrypt(utf8ToBytes(text));
  return `$ba$${secretVersion(current)}$${bytesToHex(encrypted)}`;
}

/** Undoes `encryptText`; null for text that was changed, or whose secret is not listed. */
export function decryptText(secrets: Secrets, encrypted: string): string | null {
  const version = versionOf(encrypted);
  const bytes = hexToBytes(encrypted.replace(ENVELOPE, ''));
  for (const secret of secrets) {
    // Text from before versions were kept may be under any of them.
    if (version !== null && version !== secretVersion(secret)) continue;
    try {
      return Buffer.from(cipherOf(secret).decrypt(bytes)).toString();
    } catch {
      // Authenticated: another secret, or changed bytes.
    }
  }
  return null;
}

/** True if a text is encrypted under the current secret. */
export function isUnderCurrent([current = '']: Secrets, encrypted: string): boolean {
  return versionOf(encrypted) === secretVersion(current);
}

function versionOf(encrypted: string): number | null {
  const version = ENVELOPE.exec(encrypted)?.[1];
  return version === undefined ? null : Number(version);
}

function cipherOf(secret: string) {
  return managedNonce(xchacha20poly1305)(createHash('sha256').update(secret).digest());
}
