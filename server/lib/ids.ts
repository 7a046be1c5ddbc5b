import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/**
 * A UUID version 7 (RFC 9562): its first 48 bits are the time, so that primary keys made one after
 * another sit beside each other in the index. The rest is a version 4's, which Node keeps a store of
 * random bits for: half the time that asking for 16 bytes takes.
 */
export function newId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
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
