import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { StartError } from '#server/lib/start-error.ts';

/** System user that PostgreSQL runs as; `undefined` is the current user. */
export type Account = { uid: number; gid: number; name: string } | undefined;

const CANDIDATES = ['postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root. For root, returns the unprivileged user to run as: the owner
 * of an existing cluster, else `postgres`, else `nobody`.
 *
 * @param clusterDir an initialised cluster, or `undefined` when there is none yet
 */
export function chooseAccount(clusterDir: string | undefined): Account {
  if (process.getuid?.() !== 0) return undefined;
  if (clusterDir !== undefined) {
    const owner = statSync(clusterDir);
    if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `user ${owner.uid}` };
  }
  for (const name of CANDIDATES) {
    const uid = idOf('-u', name);
    const gid = idOf('-g', name);
    if (uid !== undefined && gid !== undefined && uid !== 0) return { uid, gid, name };
  }
  throw new StartError(
    'PostgreSQL does not run as root and this system has no user named postgres or nobody; start Purser as another user.',
  );
}

function idOf(flag: '-u' | '-g', name: string): number | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    const id = Number.parseInt(
      execFileSync('id', [flag, name], { encoding: 'utf8', stdio: [...stdio] }),
      10,
    );
    return Number.isNaN(id) ? undefined : id;
  } catch {
    return undefined;
  }
}

/**
 * Runs a program as the account, in a folder it can read, detached from our terminal (so that
 * Ctrl-C reaches only us) and without PostgreSQL settings from our environment. Rejects with the
 * program's output in `stderr` when it fails.
 *
 * @param inherited descriptors that it has open as 3 and so on
 */
export async function runAs(
  account: Account,
  program: string,
  args: readonly string[],
  inherited: readonly number[] = [],
): Promise<string> {
  const child = spawn(program, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...inherited],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return stdout;
  throw Object.assign(new Error(`${program} ended with ${code}`), { stderr });
}

/** Asks the system, as that user: `-x` may it enter or execute, `-w` may it write. */
export async function mayAccess(
  account: Account,
  flag: '-x' | '-w',
  path: string,
): Promise<boolean> {
  try {
    await runAs(account, 'test', [flag, path]);
    return true;
  } catch {
    return false;
  }
}
