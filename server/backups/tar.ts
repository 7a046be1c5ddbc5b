import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '#server/lib/start-error.ts';

/** A file that grew or went while it was read. The roots grow, and retention deletes images. */
const CHANGED = /changed as we read it|removed before we read it/;

/** Ctrl-C of a terminal reaches Purser alone, which then ends this program. */
const OWN = { detached: true, env: { PATH: process.env['PATH'], LC_ALL: 'C' } };

/** Files of a folder as a tar, by the system's own program. It fails when that does. */
export function packFolder(folder: string, names: readonly string[]): Readable {
  const child = spawn('tar', ['-cf', '-', '-C', folder, '--', ...names], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...OWN,
  });
  const tar = new PassThrough();
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout.pipe(tar, { end: false });
  child.once('error', (error) => tar.destroy(error));
  child.once('close', (code) => {
    if (code === 0 || (code === 1 && CHANGED.test(said))) tar.end();
    else tar.destroy(failure(said, code));
  });
  tar.once('close', () => child.kill());
  return tar;
}

/**
 * Unpacks a tar into a folder that exists. The program reads on after the last file (`-i`): otherwise it may be gone before
 * the stream has ended, whose end is the one that is authenticated. When it returns or throws, nothing writes any longer.
 *
 * @param signal aborted where it is to be given up
 * @throws when the stream fails, or the program does
 */
export async function unpackInto(
  folder: string,
  tar: Readable,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn('tar', ['-x', '-i', '-p', '-f', '-', '-C', folder], {
    stdio: ['pipe', 'ignore', 'pipe'],
    ...OWN,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close');
  ended.catch(() => undefined);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  try {
    await pipeline(tar, child.stdin, { signal });
    const [code] = (await ended) as [number | null];
    signal.throwIfAborted();
    if (code !== 0) throw failure(said, code);
  } catch (error) {
    kill();
    await ended.catch(() => undefined);
    // It ended before its input, and has said why.
    throw errorCode(error) === 'EPIPE' && said !== '' ? failure(said, null) : error;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

/** Error with the first line that the program said; it may say one for each file. */
function failure(said: string, code: number | null): Error {
  const [first = ''] = said.trim().split('\n');
  const error = new Error(first === '' ? `tar: ${code}` : first);
  const isFull = /No space left on device|Disk quota exceeded/.test(said);
  return isFull ? Object.assign(error, { code: 'ENOSPC' }) : error;
}
