import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';

const ROOT = join(import.meta.dirname, '..');
/** Commits that are looked at. */
const MOST_TRIED = 20;

/**
 * The former version of Purser in this clone's history: the commit before the newest migration.
 *
 * @param wanted a tag or a commit in place of it
 * @returns its short hash; null in a clone without so much history
 */
export function findFormerVersion(wanted?: string): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const newest = git('log', '-1', '--format=%h', '--diff-filter=A', '--', 'migrations').trim();
    return git('rev-parse', '--short', '--verify', `${wanted ?? `${newest}^`}^{commit}`).trim();
  } catch {
    return null;
  }
}

/**
 * Unpacks a version into a new folder, with the packages of this checkout. Commits that were made for one change may not be
 * whole one by one, so the newest one from there back is taken that can be loaded.
 *
 * @returns its short hash
 */
export function unpackVersion(commit: string, folder: string): string {
  const most = `--max-count=${MOST_TRIED}`;
  const asked = ['rev-list', '--abbrev-commit', most, commit];
  const commits = execFileSync('git', asked, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const whole = commits.find((one) => {
    rmSync(folder, { recursive: true, force: true });
    unpack(one, folder);
    return canBeLoaded(folder);
  });
  if (whole === undefined) throw new Error(`no commit from ${commit} back can be loaded`);
  return whole;
}

function unpack(commit: string, folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

function canBeLoaded(folder: string): boolean {
  const load = `await import('./server/startup/server.ts'); process.exit(0);`;
  const args = ['--input-type=module', '--eval', load];
  return spawnSync(process.execPath, args, { cwd: folder, stdio: 'ignore' }).status === 0;
}

/**
 * Starts a process of an unpacked version on the newer schema of this one, as one that was running before the database was
 * migrated and does not look for migrations again.
 *
 * @param db connection of the owner
 * @param folder folder of the former version
 * @param start starts a process of that program
 */
export async function startOnNewer<Started>(
  db: Db,
  folder: string,
  start: (program: string) => Promise<Started>,
): Promise<Started> {
  const known = readdirSync(join(folder, 'migrations'));
  const { rows } = await sql<{ name: string; sha256: string }>`
    DELETE FROM purser_migration WHERE NOT name = ANY (${known}) RETURNING name, sha256`.execute(
    db,
  );
  try {
    return await start(join(folder, 'server/programs/main.ts'));
  } finally {
    for (const { name, sha256 } of rows) {
      await sql`INSERT INTO purser_migration (name, sha256) VALUES (${name}, ${sha256})`.execute(
        db,
      );
    }
  }
}
