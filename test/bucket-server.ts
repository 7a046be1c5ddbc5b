import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const S3RVER = join(
  dirname(createRequire(import.meta.url).resolve('s3rver/package.json')),
  'bin/s3rver.js',
);

/** Names by which the server knows who asks. */
export const BUCKET_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** A server of S3's protocol as a process of its own, with the one bucket `identity`. */
export interface BucketServer {
  endpoint: string;
  port: number;
  child: ChildProcess;
  /** `kill -9`, until it is gone. */
  kill(): Promise<void>;
}

/** @param directory folder of the objects; one that a former server had keeps them */
export async function startBucketServer(directory: string, port = 0): Promise<BucketServer> {
  const options = ['--directory', directory, '--address', '127.0.0.1', '--port', String(port)];
  const child = spawn(process.execPath, [S3RVER, ...options, '--configure-bucket', 'identity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /listening on (.+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    const endpoint = `http://${address}`;
    return { endpoint, port: Number(new URL(endpoint).port), child, kill };
  }
  throw new Error('the bucket server ended');

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
