import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMasterKeys } from '#server/config/config.ts';
import type { Config } from '#server/config/config.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import type { NextKeyPlace } from '#server/modules/ledger/index.ts';
import type { MasterKey } from '#server/vault/keys.ts';

const OWNER_ONLY = 0o600;

/**
 * Secrets that production takes from the environment; the demo and development keep them in the data
 * folder.
 */
export interface LocalSecrets {
  /** The first signs sessions and encrypts second factors. */
  secrets: readonly string[];
  /** The first encrypts what is new. */
  masterKeys: readonly MasterKey[];
}

/** Files of the key that signs the ledger's blocks, and of the one that is to replace it. */
export function signingKeyPlace(config: Config): NextKeyPlace {
  return { dataDir: config.dataDir, pem: config.ledgerKey, nextPem: config.ledgerNextKey };
}

/**
 * The secrets that are configured, or else those of the data folder, where they are made.
 *
 * @throws StartError when the folder or a file cannot be read or written
 */
export function secretsOf(config: Config): LocalSecrets {
  const { secrets, masterKeys } = config;
  if (secrets !== null && masterKeys !== null) return { secrets, masterKeys };
  const local = readOrMakeLocalSecrets(config.dataDir);
  return { secrets: secrets ?? local.secrets, masterKeys: masterKeys ?? local.masterKeys };
}

/**
 * Reads the secrets of the data folder, or makes them with it. A lost master key is made again here
 * and then found out by the check of the keys in the database, which stops the start.
 *
 * @throws StartError when the folder or a file cannot be read or written
 */
export function readOrMakeLocalSecrets(dataDir: string): LocalSecrets {
  try {
    mkdirSync(dataDir, { recursive: true });
    const secret = readOrMake(join(dataDir, 'session-secret'), () =>
      randomBytes(32).toString('base64url'),
    );
    const masterKey = readOrMake(
      join(dataDir, 'master-key'),
      () => `local-1:${randomBytes(32).toString('base64')}`,
    );
    return { secrets: secret.split(','), masterKeys: parseMasterKeys(masterKey) };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The data folder ${dataDir} cannot be used (${errorCode(error) ?? String(error)}); make it writable or set PURSER_DATA to another.`,
      { cause: error },
    );
  }
}

function readOrMake(path: string, make: () => string): string {
  try {
    writeFileSync(path, `${make()}\n`, { flag: 'wx', mode: OWNER_ONLY, flush: true });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
