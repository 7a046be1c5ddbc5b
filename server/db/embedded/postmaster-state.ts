import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { holdPipe, isHeld } from './held-pipe.ts';
import { isAlive, isOccupied, mayBePostgres, sleep } from './processes.ts';

/** Time for a container that is being replaced to stop. */
const WAIT_MS = 60_000;
const SAY_AFTER_MS = 2_000;

/** `stopped`: by a normal shutdown; `killed`: it left its file behind. */
export type PostmasterState = 'running' | 'stopped' | 'killed';

/** State of the postmaster, read from the file with its process id. Cheap. */
export function postmasterState(clusterDir: string): PostmasterState {
  const { pid } = readPidFile(clusterDir);
  if (pid === undefined) return 'stopped';
  return isAlive(pid) && mayBePostgres(pid) ? 'running' : 'killed';
}

/** Process id and port in the file of a cluster's postmaster. */
export function readPidFile(clusterDir: string): {
  pid: number | undefined;
  port: number | undefined;
} {
  let lines: string[] = [];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  return { pid: toNumber(lines[0]), port: toNumber(lines[3]) };
}

function toNumber(line: string | undefined): number | undefined {
  const value = Number.parseInt(line ?? '', 10);
  return Number.isNaN(value) ? undefined : value;
}

/** Pipe that every process of a running cluster holds open. */
function pipeOf(clusterDir: string): string {
  return `${clusterDir}.alive`;
}

/**
 * Runs the program that starts a cluster, with the pipe open: the postmaster inherits it, and so does each of its processes.
 *
 * @param start is given the descriptor
 */
export async function withClusterPipe(
  clusterDir: string,
  start: (descriptor: number) => Promise<unknown>,
): Promise<void> {
  const held = holdPipe(pipeOf(clusterDir));
  try {
    await start(held);
  } finally {
    closeSync(held);
  }
}

/**
 * True if processes of the cluster run where this process cannot see them: in another container, whose process ids and
 * memory mean nothing here. PostgreSQL's own check looks at these two, and would start a second time on the same files.
 */
export function isOutOfSight(clusterDir: string): boolean {
  return (
    isHeld(pipeOf(clusterDir)) === true &&
    postmasterState(clusterDir) !== 'running' &&
    !isOccupied(clusterDir)
  );
}

/** @throws StartError where the cluster runs out of sight */
export function refuseOutOfSight(clusterDir: string): void {
  if (!isOutOfSight(clusterDir)) return;
  throw new StartError(
    `The database in ${clusterDir} runs in another container, and one alone can use it. Run the command in that container, or stop it first. Several containers need a PostgreSQL of their own: DATABASE_URL.`,
  );
}

/**
 * Waits for the end of a cluster that runs out of sight. Called without the folder's lock, which its container needs to
 * stop it.
 *
 * @throws StartError where it goes on
 */
export async function untilInSight(
  clusterDir: string,
  { log, waitMs = WAIT_MS }: { log: (sentence: string) => void; waitMs?: number | undefined },
): Promise<void> {
  const beganMs = performance.now();
  let isSaid = false;
  while (isOutOfSight(clusterDir)) {
    const waitedMs = performance.now() - beganMs;
    if (waitedMs >= waitMs) refuseOutOfSight(clusterDir);
    if (!isSaid && waitedMs >= SAY_AFTER_MS) {
      isSaid = true;
      log(`The database in ${clusterDir} runs in another container. Waiting for it to end ...`);
    }
    await sleep(100);
  }
}
