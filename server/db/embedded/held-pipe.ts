import { execFileSync } from 'node:child_process';
import { closeSync, constants, lstatSync, openSync, writeFileSync } from 'node:fs';
import { errorCode } from '#server/lib/start-error.ts';

/** Both ends are opened without waiting for the other one. */
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Opens a named pipe, which is made if there is none, so that other processes see that this one uses something. The system
 * closes it when the process ends. Unlike a process id this also holds between containers that share a folder, and after
 * an id was given to another process. It does not hold between machines that share a file system by network.
 *
 * @returns its descriptor
 */
export function holdPipe(path: string): number {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) makePipe(path);
  return openSync(path, O_RDONLY | O_NONBLOCK);
}

/** Some file systems have no pipes, for example those that a virtual machine shares with its host: a file is made there. */
function makePipe(path: string): void {
  try {
    execFileSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' });
  } catch {
    writeFileSync(path, '', { flag: 'a', mode: 0o600 });
  }
}

/** True while a process holds the pipe open. Null for a file that is no pipe, of which nothing is known. */
export function isHeld(path: string): boolean | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isFIFO()) return null;
  try {
    closeSync(openSync(path, O_WRONLY | O_NONBLOCK));
    return true;
  } catch (error) {
    // No process reads it, or its holder has just deleted it.
    if (['ENXIO', 'ENOENT'].includes(errorCode(error) ?? '')) return false;
    return null;
  }
}
