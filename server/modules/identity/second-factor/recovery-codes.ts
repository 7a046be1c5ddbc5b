import { createHmac, randomInt } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/identity.ts';
import { secretVersion } from '../secrets.ts';
import type { Secrets } from '../secrets.ts';

/** Without vowels, so that no words come about, and without what is read as something else: 0, 1, l. */
const LETTERS = 'bcdfghjkmnpqrtvwxyz23456789';
/** Two groups: `k7mp-2qxt`. */
const GROUP = 4;
/** Marks what is a hash already: Better Auth writes the codes that are left back through `seal`. */
const HASHED = 'hmac:';

/** New codes; each lets its owner in once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => `${group()}-${group()}`);
}

function group(): string {
  return Array.from({ length: GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/**
 * What is kept of a code, and what is compared: a hash under the server's secret, since a code is too
 * short for a hash alone.
 *
 * @param typed however it was typed: capitals, blanks, without the hyphen
 */
function recoveryCodeHash(secret: string, typed: string): string {
  return `${prefixOf(secret)}${hashOf(secret, typed)}`;
}

function prefixOf(secret: string): string {
  return `${HASHED}${secretVersion(secret)}:`;
}

function hashOf(secret: string, typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHmac('sha256', secret).update(`recovery code ${code}`).digest('base64url');
}

/**
 * What is kept of the code that was typed, under whichever of the secrets it was made.
 *
 * @param kept what Better Auth keeps of the codes of the person
 * @returns a hash that is not kept where the code is no code of theirs
 */
export function findRecoveryCode(secrets: Secrets, kept: string, typed: string): string {
  const hashes = readKept(kept);
  const possible = secrets.flatMap((secret) => [
    recoveryCodeHash(secret, typed),
    // Those made before the secret was named.
    `${HASHED}${hashOf(secret, typed)}`,
  ]);
  return possible.find((hash) => hashes.includes(hash)) ?? possible[0] ?? '';
}

/** Whether all that is left of a person's codes was made under that secret. */
export function isUnderSecret(kept: string, secret: string): boolean {
  return readKept(kept).every((hash) => hash.startsWith(prefixOf(secret)));
}

/** @param kept what Better Auth keeps of the codes of a person */
export function countRecoveryCodes(kept: string): number {
  return readKept(kept).length;
}

function readKept(kept: string): string[] {
  return JSON.parse(kept) as string[];
}

/** How Better Auth keeps the codes: JSON of their hashes. It compares what is kept with what it is given. */
export function recoveryCodeStore(secret: string) {
  return {
    encrypt: (json: string) =>
      Promise.resolve(
        JSON.stringify(
          (JSON.parse(json) as string[]).map((code) =>
            code.startsWith(HASHED) ? code : recoveryCodeHash(secret, code),
          ),
        ),
      ),
    decrypt: (kept: string) => Promise.resolve(kept),
  };
}
