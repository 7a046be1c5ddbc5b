import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AcceptedRestore, ExportedRoot, RootStore } from '#server/lib/root-store.ts';
import { untilHolds } from '#test/until-holds.ts';
import { createFileRoots } from './file.ts';
import { createPostedRoots } from './https.ts';
import { createRootStore } from './index.ts';

const dir = mkdtempSync(join(tmpdir(), 'purser-roots-'));
afterAll(() => rmSync(dir, { recursive: true }));
afterEach(() => void vi.useRealTimers());

function root(height: number, sealedAt = `2026-12-08T15:00:0${height}.000Z`): ExportedRoot {
  return {
    height: BigInt(height),
    root: height.toString(16).padStart(64, '0'),
    sealedAt: new Date(sealedAt),
    publicKey: 'ab'.repeat(32),
    signature: 'cd'.repeat(64),
  };
}

const restore: AcceptedRestore = {
  height: 1n,
  root: '1'.padStart(64, '0'),
  lostHeight: 3n,
  acceptedAt: new Date('2026-12-08T15:00:05.000Z'),
  reason: 'A “backup” was restored',
  publicKey: 'ab'.repeat(32),
  signature: 'cd'.repeat(64),
};

async function all(store: RootStore) {
  const records = [];
  for await (const record of store.records()) records.push(record);
  return records;
}

describe('a file', () => {
  test('is empty at first, and stores records readable by its owner only', async () => {
    const path = join(dir, 'new', 'roots.jsonl');
    const store = createFileRoots(path);
    expect(await store.newest()).toBeUndefined();
    expect(await all(store)).toEqual([]);
    await store.append(root(1));
    await store.append(restore);
    await store.append(root(2));
    expect(await store.newest()).toEqual(root(2));
    expect(await all(store)).toEqual([root(1), restore, root(2)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '')).toEqual({
      height: 1,
      root: root(1).root,
      sealedAt: '2026-12-08T15:00:01.000Z',
      publicKey: root(1).publicKey,
      signature: root(1).signature,
    });
  });

  test('finds the newest at the end of many', async () => {
    const path = join(dir, 'many.jsonl');
    const store = createFileRoots(path);
    for (let height = 1; height <= 9; height += 1) await store.append(root(height));
    writeFileSync(path, readFileSync(path, 'utf8').repeat(20));
    await store.append(restore);
    expect(await store.newest()).toEqual(restore);
    expect(await all(store)).toHaveLength(181);
  });

  test('reads a file that went through an editor of Windows', async () => {
    const path = join(dir, 'edited.jsonl');
    const store = createFileRoots(path);
    await store.append(root(1));
    writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8').replaceAll('\n', '\r\n')}`);
    expect(await store.newest()).toEqual(root(1));
    expect(await all(store)).toEqual([root(1)]);
  });

  test('continues after a line that a power cut left incomplete, and reports that line', async () => {
    const path = join(dir, 'torn.jsonl');
    const store = createFileRoots(path);
    await store.append(root(1));
    appendFileSync(path, '{"height":2,"ro');
    expect(await store.newest()).toEqual(root(1));
    await store.append(root(2));
    expect(await store.newest()).toEqual(root(2));
    const cut = { unreadable: `line 2 of ${path}`, isCutShort: true };
    expect(await all(store)).toEqual([root(1), cut, root(2)]);
    // A line that was changed is something else.
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"root"', '"rest"'));
    appendFileSync(path, 'Hello\n');
    expect(await all(store)).toEqual([
      { unreadable: `line 1 of ${path}` },
      cut,
      ...[3, 4].map((line) => ({ unreadable: `line ${line} of ${path}` })),
    ]);
  });

  test('with other content cannot be read', async () => {
    const path = join(dir, 'other.jsonl');
    writeFileSync(path, 'Hello\n');
    await expect(createFileRoots(path).newest()).rejects.toThrow('no roots');
    await expect(createFileRoots(dir).newest()).rejects.toThrow('EISDIR');
  });
});

describe('a bucket', () => {
  let server: S3rver;
  let address: string;
  const open = () =>
    createRootStore({ ledgerRoots: address, dataDir: dir, onFailure: () => undefined });

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
    server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: join(dir, 's3'),
      configureBuckets: [{ name: 'books', configs: [] }],
    });
    const { port } = await server.run();
    address = `s3://books/purser?endpoint=http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await server.close();
    vi.unstubAllEnvs();
  });

  test('has an object a record, and finds the newest first', async () => {
    const store = open();
    expect(await store.newest()).toBeUndefined();
    for (const height of [1, 2, 3]) await store.append(root(height));
    await store.append(root(3));
    expect(await store.newest()).toEqual(root(3));
    await store.append(restore);
    expect(await open().newest()).toEqual(restore);
    await store.append(root(2, '2026-12-08T15:00:09.000Z'));
    expect(await store.newest()).toEqual(root(2, '2026-12-08T15:00:09.000Z'));
    const named = (each: ExportedRoot) => ({
      height: each.height,
      root: each.root,
      sealedAt: each.sealedAt,
    });
    expect(await all(store)).toEqual([
      named(root(2, '2026-12-08T15:00:09.000Z')),
      restore,
      ...[3, 2, 1].map((height) => named(root(height))),
    ]);
    await store.close();
  });

  test('throws an error if it cannot be reached', async () => {
    const store = createRootStore({
      ledgerRoots: 's3://books?endpoint=http://127.0.0.1:1',
      dataDir: dir,
      onFailure: () => undefined,
    });
    await expect(store.newest()).rejects.toThrow();
    await store.close();
  });
});

describe('an address', () => {
  let server: Server;
  let url: string;
  let answer: number;
  let received: unknown[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (answer === 200) received.push(JSON.parse(body));
        response.writeHead(answer).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-token`;
  });
  afterAll(() => void server.close());

  function openPosted(name: string) {
    [answer, received] = [200, []];
    const onFailure = vi.fn<() => void>();
    const kept = createFileRoots(join(dir, name));
    return { store: createPostedRoots({ url, kept, onFailure }), onFailure };
  }
  const heights = () => received.map((each) => (each as { height: number }).height);

  test('is posted to, and the record is also stored in the file', async () => {
    const { store } = openPosted('posted.jsonl');
    await store.append(root(1));
    await untilHolds(() => expect(heights()).toEqual([1]));
    expect(await store.newest()).toEqual(root(1));
    expect(store.place).not.toContain('secret-token');
    await store.close();
  });

  test('is retried without delaying others if it refuses; the newest root is enough', async () => {
    const { store, onFailure } = openPosted('refused.jsonl');
    answer = 500;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await store.append(root(1));
    await untilHolds(() => expect(onFailure).toHaveBeenCalledTimes(1));
    await store.append(restore);
    await store.append(root(2));
    await store.append(root(3));
    expect(await store.newest()).toEqual(root(3));
    await vi.advanceTimersByTimeAsync(5_000);
    await untilHolds(() => expect(onFailure).toHaveBeenCalledTimes(2));
    answer = 200;
    await vi.advanceTimersByTimeAsync(10_000);
    await untilHolds(() => expect(received).toHaveLength(2));
    expect(heights()).toEqual([1, 3]);
    expect(received[0]).toMatchObject({ lostHeight: 3 });
    await store.close();
  });
});
