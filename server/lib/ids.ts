import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** The highest that 12 bits hold. */
const LAST_IN_MS = 0xfff;
let latest = { ms: -1, count: 0 };

/**
 * A UUID version 7 (RFC 9562): its first 48 bits are the time, so that primary keys made one after
 * another sit beside each other in the index, and the next 12 count within the millisecond (section
 * 6.2, method 1), so that what one process made in a row sorts in that order. The rest is a version
 * 4's, which Node keeps a store of random bits for: half the time that asking for 16 bytes takes.
 */
export function newId(nowMs: number = Date.now()): string {
  const random = randomUUID();
  const isNext = nowMs === latest.ms && latest.count < LAST_IN_MS;
  // Begins anywhere in the lower half, which leaves room to count.
  const count = isNext ? latest.count + 1 : Number.parseInt(random.slice(0, 3), 16) >> 1;
  latest = { ms: nowMs, count };
  const time = nowMs.toString(16).padStart(12, '0');
  const counted = count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counted}${random.slice(18)}`;
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
