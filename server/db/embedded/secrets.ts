import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { writeOnce } from '#server/lib/whole-file.ts';

/** Passwords of the embedded database's three roles, random, created with the data folder. */
export interface Secrets {
  superuser: string;
  owner: string;
  app: string;
}

const FILE = 'postgres-passwords.json';

/**
 * Reads the passwords in the data folder (mode 0600), or creates them.
 *
 * @param isNew true if the cluster does not exist yet: an existing one without its passwords cannot
 *   be opened, and is refused with a StartError
 */
export function readOrMakeSecrets(dataDir: string, isNew: boolean): Secrets {
  const path = join(dataDir, FILE);
  if (existsSync(path)) return readSecrets(path);
  if (!isNew) {
    throw new StartError(
      `${path} with the passwords of the embedded database is missing; restore it from your backup of the data folder.`,
    );
  }
  const secrets = { superuser: makePassword(), owner: makePassword(), app: makePassword() };
  writeOnce(path, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

function readSecrets(path: string): Secrets {
  try {
    const { superuser, owner, app } = JSON.parse(readFileSync(path, 'utf8'));
    if ([superuser, owner, app].every((password) => typeof password === 'string')) {
      return { superuser, owner, app };
    }
  } catch (error) {
    if (errorCode(error) !== undefined) {
      throw new StartError(`${path} cannot be read (${errorCode(error)}); make it readable.`);
    }
  }
  throw new StartError(`${path} is damaged; restore it from your backup of the data folder.`);
}

function makePassword(): string {
  return randomBytes(24).toString('hex');
}
