import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { holdPipe, isHeld } from './held-pipe.ts';
import { isAlive, mayBePostgres, sleep } from './processes.ts';

/** Time for a container that is being replaced to stop, and for the processes of a killed database to end on a busy machine. */
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
 * True if processes of the cluster run and there is no postmaster of theirs that this process could join: it is in another
 * container, whose process ids and memory mean nothing here, or it was killed and its last processes have not ended.
 * PostgreSQL's own check looks at process ids and memory, and would start a second time on the same files.
 */
export function isUnreachable(clusterDir: string): boolean {
  return isHeld(pipeOf(clusterDir)) === true && postmasterState(clusterDir) !== 'running';
}

/** @throws StartError where the cluster cannot be reached */
export function refuseUnreachable(clusterDir: string): void {
  if (!isUnreachable(clusterDir)) return;
  throw new StartError(
    `The database in ${clusterDir} is in use where it cannot be reached from here, as in another container. Run the command in that container, or stop it first. Several containers need a PostgreSQL of their own: DATABASE_URL.`,
  );
}

/**
 * Waits until the cluster can be joined or started.
 *
 * @param options.waitMs with the folder's lock it is short, because another container needs the lock to stop its database
 * @throws StartError where it stays unreachable
 */
export async function untilReachable(
  clusterDir: string,
  { log, waitMs = WAIT_MS }: { log: (sentence: string) => void; waitMs?: number | undefined },
): Promise<void> {
  const beganMs = performance.now();
  let isSaid = false;
  while (isUnreachable(clusterDir)) {
    const waitedMs = performance.now() - beganMs;
    if (waitedMs >= waitMs) refuseUnreachable(clusterDir);
    if (!isSaid && waitedMs >= SAY_AFTER_MS) {
      isSaid = true;
      log(`The database in ${clusterDir} is in use elsewhere. Waiting for it to end ...`);
    }
    await sleep(100);
  }
}
