import { createHash } from 'node:crypto';
import type { Auth } from './auth.ts';

/** What signs cookies and encrypts second factors: the first does, the others are still accepted. */
export type Secrets = readonly string[];

/**
 * By which what is encrypted names its secret, wherever that stands in the list: 32 bits of its hash,
 * which say nothing of a random secret.
 */
export function secretVersion(secret: string): number {
  return createHash('sha256').update(`secret version ${secret}`).digest().readUInt32BE();
}

/** As Better Auth takes them. What it encrypted before versions were kept is under the oldest secret. */
export function authSecrets(secrets: Secrets): {
  secret: string | undefined;
  secrets: { version: number; value: string }[];
} {
  return {
    secret: secrets.at(-1),
    secrets: secrets.map((value) => ({ version: secretVersion(value), value })),
  };
}

/** The secrets of a Better Auth that was set up with `authSecrets`, current first. */
export async function secretsOf(auth: Auth): Promise<Secrets> {
  const { secret, secretConfig } = await auth.$context;
  return typeof secretConfig === 'string' ? [secret] : [...secretConfig.keys.values()];
}
