import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane; about 30 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** A hash that no password has, at the usual cost. */
const NO_PASSWORD = phc(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** An argon2id hash in PHC form, which carries its own cost and salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const hash = await derive('argon2id', {
    ...COST,
    message: normalise(password),
    nonce,
    tagLength: HASH_BYTES,
  });
  return phc(nonce, hash);
}

/**
 * False also for null and anything that is not such a hash, which take as long: the time of an answer does
 * not say who has an account or a password.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const usable = stored !== null && PHC.test(stored) ? stored : NO_PASSWORD;
  const [, memory, passes, parallelism, salt = '', expected = ''] = PHC.exec(usable) ?? [];
  const wanted = Buffer.from(expected, 'base64');
  const hash = await derive('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    message: normalise(password),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: wanted.length,
  });
  return timingSafeEqual(hash, wanted);
}

/** One form for what looks the same, whatever keyboard it was typed on (NIST SP 800-63B, 3.1.1.2). */
function normalise(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'));
}

function phc(nonce: Buffer, hash: Buffer): string {
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
