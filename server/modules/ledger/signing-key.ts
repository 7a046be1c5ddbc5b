import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE_NAME = 'ledger-signing-key.pem';
const OWNER_ONLY = 0o600;

export interface SigningKeyPlace {
  /** Purser's data folder. */
  dataDir: string;
  /** The value of PURSER_LEDGER_KEY: a PEM (`\n` may stand for its line ends). Wins over the file. */
  fromEnvironment?: string | undefined;
}

function parse(pem: string): KeyObject {
  const key = createPrivateKey(pem.replaceAll(String.raw`\n`, '\n'));
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('The ledger key is not Ed25519.');
  return key;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The key that signs blocks, if there is one already. Throws when what is there is no such key. */
export function findSigningKey(place: SigningKeyPlace): KeyObject | undefined {
  if (place.fromEnvironment !== undefined && place.fromEnvironment !== '') {
    return parse(place.fromEnvironment);
  }
  try {
    return parse(readFileSync(join(place.dataDir, FILE_NAME), 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * The key that signs blocks: a private Ed25519 key, from the environment or from the data folder,
 * where it is made when there is none, readable by its owner only. Processes that share a database
 * must be given the same key.
 */
export function loadSigningKey(place: SigningKeyPlace): KeyObject {
  const found = findSigningKey(place);
  if (found !== undefined) return found;
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  try {
    writeFileSync(join(place.dataDir, FILE_NAME), pem, { flag: 'wx', mode: OWNER_ONLY });
    return privateKey;
  } catch (error) {
    // Another process made it first: that one's counts.
    if (hasCode(error, 'EEXIST')) return loadSigningKey(place);
    throw error;
  }
}
