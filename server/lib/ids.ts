import { randomBytes, randomInt } from 'node:crypto';

/**
 * A UUID version 7 (RFC 9562): its first 48 bits are the time, so that primary keys made one after
 * another sit beside each other in the index.
 */
export function newId(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** `count` random decimal digits, for references and account numbers. */
export function randomDigits(count: number): string {
  let digits = '';
  while (digits.length < count) digits += String(randomInt(10));
  return digits;
}

/** A random 256-bit token for links and invites, URL-safe. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}
