import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Parameters that every authenticator app takes: SHA-1, six digits, half a minute (RFC 6238). */
const STEP_MS = 30_000;
const DIGITS = 6;
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A secret for an app: 192 random bits as text, whose own bytes are the key. */
export function newAppSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** The key as an app takes it when it is typed: base 32 (RFC 4648) without padding. */
export function appKey(secret: string): string {
  const bits = [...Buffer.from(secret)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE_32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The key as an app takes it from a QR code. */
export function appUri(secret: string, email: string): string {
  const label = `Purser:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${appKey(secret)}&issuer=Purser&digits=${DIGITS}&period=${STEP_MS / 1_000}`;
}

/**
 * True for the code that an app with this secret shows now, or showed or will show half a minute away: its
 * clock may differ (RFC 6238, 5.2).
 *
 * @param code six digits
 * @param nowMs the present time, in milliseconds since 1970
 */
export function isAppCode(secret: string, code: string, nowMs: number): boolean {
  const step = Math.floor(nowMs / STEP_MS);
  const given = Buffer.from(code);
  const matches = [step - 1, step, step + 1].filter((counter) => {
    const expected = Buffer.from(codeAt(secret, counter));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return matches.length > 0;
}

/** HOTP (RFC 4226, 5.3). */
function codeAt(secret: string, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', secret).update(message).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}
