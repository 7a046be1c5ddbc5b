import { ReadableError } from '#web/lib/readable-error.ts';

/** The browser offers no cryptography: it does not to pages that came over plain HTTP. */
export class UnhashableError extends ReadableError {
  override readonly name = 'UnhashableError';
}

/**
 * SHA-256 of a security answer, lowercased and trimmed, in hex: all that leaves the browser.
 *
 * @throws UnhashableError
 */
export async function hashSecurityAnswer(answer: string): Promise<string> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) {
    throw new UnhashableError(
      'A security answer can only be set over a secure (https) connection.',
    );
  }
  const bytes = new TextEncoder().encode(answer.trim().toLowerCase());
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
