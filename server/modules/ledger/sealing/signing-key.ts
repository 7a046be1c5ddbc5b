import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '#server/lib/start-error.ts';

const FILE_NAME = 'ledger-signing-key.pem';
const OWNER_ONLY = 0o600;

export interface SigningKeyPlace {
  /** Purser's data folder. */
  dataDir: string;
  /** A configured key, as PEM (`\n` may stand for its line ends): it wins over the file. */
  pem?: string | null;
}

function parse(pem: string): KeyObject {
  const key = createPrivateKey(pem.replaceAll(String.raw`\n`, '\n'));
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('The ledger key is not Ed25519.');
  return key;
}

/** The key that signs blocks, if there is one already. Throws when what is there is no such key. */
export function findSigningKey(place: SigningKeyPlace): KeyObject | undefined {
  if (place.pem) return parse(place.pem);
  try {
    return parse(readFileSync(join(place.dataDir, FILE_NAME), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The key that signs blocks: a private Ed25519 key, the configured one or that of the data folder,
 * where it is made when there is none, readable by its owner only. Processes that share a database
 * must be given the same key.
 */
export function loadSigningKey(place: SigningKeyPlace): KeyObject {
  const found = findSigningKey(place);
  if (found !== undefined) return found;
  const { privateKey } = generateKeyPairSync('ed25519');
  writeOnce(
    join(place.dataDir, FILE_NAME),
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  return loadSigningKey(place);
}

/** Makes a file appear whole or, when another process was quicker, leaves that one's. */
function writeOnce(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text, { flag: 'wx', mode: OWNER_ONLY });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
