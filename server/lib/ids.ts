import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Maximum value of 12 bits. */
const LAST_IN_MS = 0xfff;
let latest = { ms: -1, count: 0 };

/**
 * A UUID version 7 (RFC 9562). Its first 48 bits are the time, so that primary keys created one
 * after another are next to each other in the index. The next 12 count within the millisecond
 * (section 6.2, method 1), so that ids of one process sort in the order of creation. The rest is a
 * version 4's, for which Node keeps a store of random bits: half the time of requesting 16 bytes.
 */
export function newId(nowMs: number = Date.now()): string {
  const random = randomUUID();
  const isNext = nowMs === latest.ms && latest.count < LAST_IN_MS;
  // Starts anywhere in the lower half, which leaves room to count.
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
