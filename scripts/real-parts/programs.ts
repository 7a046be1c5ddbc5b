import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StartError } from '#server/lib/start-error.ts';

/** Package of Debian and Ubuntu that has each program. */
const PACKAGES = {
  initdb: 'postgresql',
  postgres: 'postgresql',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx',
  postfix: 'postfix',
  openssl: 'openssl',
} as const;
type ProgramName = keyof typeof PACKAGES;

/** Absolute paths of the programs. */
export type Programs = Readonly<Record<ProgramName, string>>;

/**
 * Finds the programs of the parts where Debian installs them, or in the PATH.
 *
 * @throws StartError naming what is missing, and when not run as root
 */
export function findPrograms(
  folders: readonly string[] = foldersOfPrograms(),
  isRoot = process.getuid?.() === 0,
): Programs {
  const names = Object.keys(PACKAGES) as ProgramName[];
  const found = names.map((name) => [name, findProgram(folders, name)] as const);
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
  if (missing.length > 0) {
    const packages = [...new Set(missing.map((name) => PACKAGES[name]))].join(' ');
    throw new StartError(`${missing.join(', ')} not found; install with: apt install ${packages}`);
  }
  if (!isRoot) {
    throw new StartError('Run this as root: Postfix does not start as another user.');
  }
  return Object.fromEntries(found) as Programs;
}

function findProgram(folders: readonly string[], name: ProgramName): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The newest PostgreSQL first: Debian keeps its programs out of the PATH. */
function foldersOfPrograms(): string[] {
  const versions = globSync('/usr/lib/postgresql/*/bin').toSorted(
    (one, other) => Number(other.split('/')[4]) - Number(one.split('/')[4]),
  );
  const searched = process.env['PATH']?.split(delimiter) ?? [];
  return [...versions, ...searched, '/usr/local/sbin', '/usr/sbin', '/sbin'];
}
