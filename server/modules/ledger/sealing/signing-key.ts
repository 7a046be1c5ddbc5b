import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { writeOnce } from '#server/lib/whole-file.ts';

const FILE_NAME = 'ledger-signing-key.pem';
/** The key that the chain is handed over to, until it replaces the current one. */
const NEXT_FILE_NAME = 'ledger-signing-key-next.pem';
/** The key that was replaced. */
const FORMER_FILE_NAME = 'ledger-signing-key-former.pem';

export interface SigningKeyPlace {
  /** Purser's data folder. */
  dataDir: string;
  /**
   * A configured key, as PEM (`\n` may stand for its line ends). It takes precedence over the file.
   */
  pem?: string | null;
}

function parse(pem: string): KeyObject {
  const key = createPrivateKey(pem.replaceAll(String.raw`\n`, '\n'));
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('The ledger key is not Ed25519.');
  return key;
}

/**
 * The key that signs blocks; undefined if there is none yet. Throws when the setting or file holds
 * no valid key.
 */
export function findSigningKey(place: SigningKeyPlace): KeyObject | undefined {
  return place.pem ? parse(place.pem) : readKey(join(place.dataDir, FILE_NAME));
}

/**
 * The key that signs blocks, a private Ed25519 key: the configured one, or the one in the data
 * folder. Creates the latter if there is none, readable by its owner only. Processes that share a
 * database must have the same key.
 */
export function loadSigningKey(place: SigningKeyPlace): KeyObject {
  return findSigningKey(place) ?? readOrMakeKey(join(place.dataDir, FILE_NAME));
}

export interface NextKeyPlace extends SigningKeyPlace {
  /** The configured key that will replace the current one, as PEM. */
  nextPem?: string | null;
}

/**
 * Keys that the chain may have been handed over to since this process read its own: the configured
 * next one, or those in the data folder as they are now.
 */
export function findNextSigningKeys({ dataDir, pem, nextPem }: NextKeyPlace): KeyObject[] {
  if (nextPem) return [parse(nextPem)];
  if (pem) return [];
  const found = [NEXT_FILE_NAME, FILE_NAME].map((name) => readKey(join(dataDir, name)));
  return found.filter((key) => key !== undefined);
}

/**
 * The key to hand the chain over to: the configured next one, or a new one in the data folder if
 * the current key is there, too.
 *
 * @throws StartError when the current key is configured and the next one is not
 */
export function loadNextSigningKey({ dataDir, pem, nextPem }: NextKeyPlace): KeyObject {
  if (nextPem) return parse(nextPem);
  if (pem) {
    throw new StartError(
      'PURSER_LEDGER_NEXT_KEY is not set: make the new key with "openssl genpkey -algorithm ed25519" and give it to every server first.',
    );
  }
  return readOrMakeKey(join(dataDir, NEXT_FILE_NAME));
}

/**
 * Replaces the key in the data folder by the next one and keeps the former one in a file next to
 * it. Can be interrupted at any point and repeated.
 */
export function promoteNextSigningKey(dataDir: string): void {
  const [current, next, former] = [FILE_NAME, NEXT_FILE_NAME, FORMER_FILE_NAME].map((name) =>
    join(dataDir, name),
  ) as [string, string, string];
  if (!existsSync(next)) return;
  rmSync(former, { force: true });
  linkSync(current, former);
  renameSync(next, current);
}

function readKey(path: string): KeyObject | undefined {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function readOrMakeKey(path: string): KeyObject {
  const found = readKey(path);
  if (found !== undefined) return found;
  const { privateKey } = generateKeyPairSync('ed25519');
  writeOnce(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  return readOrMakeKey(path);
}
