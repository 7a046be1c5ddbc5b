import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { FileStore } from '#server/lib/file-store.ts';
import type * as limits from '#server/lib/limits.ts';
import { BUCKET_KEYS, startBucketServer } from '#test/bucket-server.ts';
import type { BucketServer } from '#test/bucket-server.ts';
import { createFileStore } from './index.ts';

/** Limits twenty times as short, so that the test can really wait for time-outs. */
const { DEADLINE_MS } = vi.hoisted(() => ({ DEADLINE_MS: 1_250 }));
vi.mock('#server/lib/limits.ts', async (original) => {
  const { LIMITS } = await original<typeof limits>();
  const files = {
    connectTimeoutMs: LIMITS.files.connectTimeoutMs / 20,
    requestTimeoutMs: LIMITS.files.requestTimeoutMs / 20,
    attempts: LIMITS.files.attempts,
    deadlineMs: DEADLINE_MS,
  };
  return { LIMITS: { ...LIMITS, files } };
});

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

const store = (bucket = 'identity') =>
  createFileStore({ files: `s3://${bucket}?endpoint=${endpoint}`, dataDir: dir });
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
  await expect(store('elsewhere').put('refused', bytes)).rejects.toMatchObject(unavailable);
});

test.each<[string, (files: FileStore) => Promise<unknown>]>([
  ['put', (files) => files.put('hanging', bytes)],
  ['get', (files) => files.get('kept')],
  ['delete', (files) => files.delete('other')],
])(
  'a %s to a server that accepts connections and never answers is given up',
  async (_what, ask) => {
    const files = store();
    server.child.kill('SIGSTOP');
    const begunMs = performance.now();
    await expect(ask(files)).rejects.toMatchObject(unavailable);
    expect(performance.now() - begunMs).toBeLessThan(2 * DEADLINE_MS);
    server.child.kill('SIGCONT');
    // The next request works as usual.
    expect((await files.get('kept')).equals(bytes)).toBe(true);
  },
);

test('a server that is killed during a request is unavailable', async () => {
  server.child.kill('SIGSTOP');
  const putting = store()
    .put('lost', bytes)
    .catch((error: unknown) => error);
  await server.kill();
  expect(await putting).toMatchObject(unavailable);
});
