import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FileStore } from '#server/lib/file-store.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { BUCKET_KEYS, startBucketServer } from '#test/bucket-server.ts';
import type { BucketServer } from '#test/bucket-server.ts';
import { createFileStore } from './index.ts';

/** Longer than a test may take, on the busiest machine. */
const NEVER_MS = 3_600_000;
const PATIENT = {
  connectTimeoutMs: NEVER_MS,
  requestTimeoutMs: NEVER_MS,
  attempts: LIMITS.files.attempts,
  deadlineMs: NEVER_MS,
};

const bytes = Buffer.from('an image, encrypted');
const dir = mkdtempSync(join(tmpdir(), 'purser-s3-'));
let server: BucketServer;
let endpoint: string;

beforeAll(async () => {
  for (const [name, key] of Object.entries(BUCKET_KEYS)) vi.stubEnv(name, key);
  server = await startBucketServer(dir);
  ({ endpoint } = server);
});
afterAll(async () => {
  await server.kill();
  rmSync(dir, { recursive: true });
  vi.unstubAllEnvs();
});

const store = ({ bucket = 'identity', limits = PATIENT } = {}) =>
  createFileStore({ files: `s3://${bucket}?endpoint=${endpoint}`, dataDir: dir, limits });
const unavailable = { code: 'FILES_UNAVAILABLE' };

test('a server in a separate process stores files', async () => {
  await store().verify();
  await store().put('kept', bytes);
  expect((await store().get('kept')).equals(bytes)).toBe(true);
  await expect(store().get('never')).rejects.toMatchObject({ code: 'FILES_MISSING' });
});

test('it refuses a key it does not know, and has no other bucket', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'SOMEBODY');
  await expect(store().put('refused', bytes)).rejects.toMatchObject(unavailable);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  await expect(store({ bucket: 'elsewhere' }).put('refused', bytes)).rejects.toMatchObject(
    unavailable,
  );
});

describe.each([
  ['after its last attempt', { ...PATIENT, requestTimeoutMs: 200 }],
  ['at the deadline of all attempts', { ...PATIENT, deadlineMs: 200 }],
])('a server that accepts connections and never answers is given up %s', (_when, limits) => {
  test.each<[string, (files: FileStore) => Promise<unknown>]>([
    ['put', (files) => files.put('hanging', bytes)],
    ['get', (files) => files.get('kept')],
    ['delete', (files) => files.delete('other')],
  ])('by a %s', async (_what, ask) => {
    server.child.kill('SIGSTOP');
    try {
      await expect(ask(store({ limits }))).rejects.toMatchObject(unavailable);
    } finally {
      server.child.kill('SIGCONT');
    }
    // The next request works as usual.
    expect((await store().get('kept')).equals(bytes)).toBe(true);
  });
});

test('a server that is killed during a request is unavailable', async () => {
  server.child.kill('SIGSTOP');
  const putting = store()
    .put('lost', bytes)
    .catch((error: unknown) => error);
  await server.kill();
  expect(await putting).toMatchObject(unavailable);
});
