import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Ids that 12 bits count. */
const IN_MS = 0x1000;
const MOMENTS = 4_096;
/**
 * The last count of the milliseconds of which ids were created last. Requests hand in the moment at which they began,
 * and ids of other moments are created between two of theirs.
 */
const counts = new Map<number, number>();

/**
 * A UUID version 7 (RFC 9562). Its first 48 bits are the time, so that primary keys created one
 * after another are next to each other in the index. The next 12 count within the millisecond
 * (section 6.2, method 1), so that ids of one process and millisecond sort in the order of creation. The rest is a
 * version 4's, for which Node keeps a store of random bits: half the time of requesting 16 bytes.
 */
export function newId(nowMs: number = Date.now()): string {
  const random = randomUUID();
  // Starts anywhere in the lower half, which leaves room to count.
  const count = (counts.get(nowMs) ?? Number.parseInt(random.slice(0, 3), 16) >> 1) + 1;
  counts.delete(nowMs);
  counts.set(nowMs, count);
  if (counts.size > MOMENTS) forgetOldest();
  const time = (nowMs + Math.floor(count / IN_MS)).toString(16).padStart(12, '0');
  const counted = (count % IN_MS).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counted}${random.slice(18)}`;
}

function forgetOldest(): void {
  for (const oldest of counts.keys()) {
    counts.delete(oldest);
    return;
  }
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
