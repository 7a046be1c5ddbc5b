import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { programPath } from './bundle-programs.ts';
import { childEnvironment } from './child-environment.ts';

export interface ServerProcess {
  child: ChildProcess;
  /** `http://127.0.0.1:4711` */
  origin: string;
  /** All it has printed so far. */
  said(): string;
  /** The last line that it has printed as an error. */
  lastComplaint(): string | undefined;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop, and waits. */
  stop(): Promise<void>;
}

/**
 * Starts the whole server as a process of its own on a free port and waits until it is ready.
 *
 * @param program path of the server's program: that of another version, for example
 * @throws Error with what it said when it ends instead
 */
export async function startServerProcess(
  environment: Readonly<Record<string, string>>,
  program = programPath('main'),
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, '--empty'], {
    env: { ...childEnvironment(), LOG_LEVEL: 'error', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      const port = /ready at http:\/\/localhost:(\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`The server ended: ${said}`)));
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  /** The two streams have no order between them. */
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  return {
    child,
    origin: await ready,
    lastComplaint: () => complaints.trim().split('\n').at(-1),
    said: () => said,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
