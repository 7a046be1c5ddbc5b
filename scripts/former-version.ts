import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

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

/** Unpacks a version into a new folder, with the packages of this checkout. */
export function unpackVersion(commit: string, folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}
