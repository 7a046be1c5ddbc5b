import { createHmac } from 'node:crypto';

const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/**
 * Code that an authenticator app shows for a key (RFC 6238, SHA-1, six digits), computed apart from the
 * library that checks it.
 *
 * @param key in base 32
 */
export function appCode(key: string, at: Date = new Date()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / STEP_MS)));
  const digest = createHmac('sha1', bytesOf(key)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** The codes of now and of half a minute on: both are taken, and each once. */
export function nextAppCodes(key: string): [now: string, next: string] {
  const now = Date.now();
  return [appCode(key, new Date(now)), appCode(key, new Date(now + STEP_MS))];
}

function bytesOf(key: string): Buffer {
  const bits = Array.from(key.replaceAll('=', ''), (letter) =>
    BASE_32.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
