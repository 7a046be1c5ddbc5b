import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config/config.ts';
import { parseMasterKeys } from '#server/config/secrets.ts';
import { fullDisk, isFullDisk } from '#server/lib/full-disk.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { writeOnce } from '#server/lib/whole-file.ts';
import type { NextKeyPlace } from '#server/modules/ledger/index.ts';
import type { MasterKey } from '#server/vault/keys.ts';

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
 * @throws StartError when the folder or a file cannot be read or written, or a file is empty
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
    if (isFullDisk(error)) throw fullDisk(dataDir, error);
    throw new StartError(
      `The data folder ${dataDir} cannot be used (${errorCode(error) ?? String(error)}); make it writable or set PURSER_DATA to another.`,
      { cause: error },
    );
  }
}

function readOrMake(path: string, make: () => string): string {
  if (!existsSync(path)) writeOnce(path, `${make()}\n`);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret !== '') return secret;
  throw new StartError(
    `${path} is empty: restore it from your backup of the data folder, or delete it if nobody has used this company yet.`,
  );
}
