import { createHmac, randomInt } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/identity.ts';
import { secretVersion } from '../secrets.ts';
import type { Secrets } from '../secrets.ts';

/** Without vowels, so that no words come about, and without what is read as something else: 0, 1, l. */
const LETTERS = 'bcdfghjkmnpqrtvwxyz23456789';
/** Two groups: `k7mp-2qxt`. */
const GROUP = 4;

/** New codes; each lets its owner in once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => `${group()}-${group()}`);
}

function group(): string {
  return Array.from({ length: GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** JSON of the hashes of codes, keyed by the current secret: a code is too short for a hash alone. */
export function keepRecoveryCodes([current = '']: Secrets, codes: readonly string[]): string {
  return JSON.stringify(codes.map((code) => `${prefixOf(current)}${hashOf(current, code)}`));
}

/**
 * Takes a code away from those that are kept, under whichever of the secrets it was made.
 *
 * @param typed however it was typed: capitals, blanks, without the hyphen
 * @returns those that are left; null where it is none of them
 */
export function spendRecoveryCode(secrets: Secrets, kept: string, typed: string): string | null {
  const possible = secrets.flatMap((secret) => {
    const hash = hashOf(secret, typed);
    // The second form is from before secrets were named.
    return [`${prefixOf(secret)}${hash}`, `hmac:${hash}`];
  });
  const hashes = readKept(kept);
  const left = hashes.filter((hash) => !possible.includes(hash));
  return left.length === hashes.length ? null : JSON.stringify(left);
}

/** True if all remaining codes of a person were made under that secret. */
export function isUnderSecret(kept: string, secret: string): boolean {
  return readKept(kept).every((hash) => hash.startsWith(prefixOf(secret)));
}

/** @param kept of `keepRecoveryCodes` */
export function countRecoveryCodes(kept: string): number {
  return readKept(kept).length;
}

function prefixOf(secret: string): string {
  return `hmac:${secretVersion(secret)}:`;
}

function hashOf(secret: string, typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHmac('sha256', secret).update(`recovery code ${code}`).digest('base64url');
}

function readKept(kept: string): string[] {
  return JSON.parse(kept) as string[];
}
