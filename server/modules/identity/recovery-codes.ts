import { createHmac, randomInt } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/identity.ts';

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
export function recoveryCodeHash(secret: string, typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const hash = createHmac('sha256', secret).update(`recovery code ${code}`).digest('base64url');
  return `${HASHED}${hash}`;
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
