import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FileStore } from '#server/lib/file-store.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { createFolderDisk } from './folder.ts';
import { createFileStore } from './index.ts';
import { readS3Address } from './s3-address.ts';
import { storeOn } from './store.ts';

const dir = mkdtempSync(join(tmpdir(), 'purser-files-'));
afterAll(() => rmSync(dir, { recursive: true }));

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 256));

async function expectToKeep(store: FileStore): Promise<void> {
  await store.verify();
  await store.put('0193a0b4', bytes);
  expect((await store.get('0193a0b4')).equals(bytes)).toBe(true);
  await store.delete('0193a0b4');
  await expect(store.get('0193a0b4')).rejects.toMatchObject({ code: 'FILES_MISSING' });
  await store.delete('0193a0b4');
}

describe('a folder', () => {
  test('stores files with no access for others', async () => {
    const dataDir = join(dir, 'data');
    await expectToKeep(createFileStore({ files: null, dataDir }));
    expect(statSync(join(dataDir, 'files')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(dataDir, 'files'))).toEqual([]);
  });

  test('reports a file in the place of its folder', async () => {
    const store = createFileStore({ files: null, dataDir: join(dir, 'blocked') });
    rmSync(join(dir, 'blocked'), { recursive: true });
    await expect(store.get('x')).rejects.toMatchObject({ code: 'FILES_MISSING' });
  });

  test('refuses names that lead outside of it', async () => {
    const store = createFileStore({ files: null, dataDir: join(dir, 'inside') });
    await expect(store.put('../outside', bytes)).rejects.toThrow();
    expect(readdirSync(join(dir, 'inside'))).toEqual(['files']);
  });
});

describe('a full disk', () => {
  const kept = new Map<string, Uint8Array>();
  /** Writes what there is room for, and then fails, as a file system does. */
  const fullDisk = {
    put: async (name: string, content: Uint8Array) => {
      kept.set(name, content.subarray(0, 1));
      await Promise.reject(Object.assign(new Error('No space left'), { code: 'ENOSPC' }));
    },
    getBytes: (name: string) => Promise.resolve(kept.get(name) ?? new Uint8Array()),
    delete: async (name: string) => void kept.delete(name),
  };

  test('keeps no part of a file, neither of an upload nor of a check', async () => {
    const store = storeOn(fullDisk);
    await expect(store.put('0193a0b4', bytes)).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
    await expect(store.verify()).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
    expect([...kept.keys()]).toEqual([]);
  });

  test('is reported before it is full', async () => {
    const folder = createFolderDisk(join(dir, 'nearly-full'));
    const store = storeOn(folder, () => Promise.resolve(LIMITS.files.minFreeBytes - 1));
    await expect(store.verify()).rejects.toThrow('There is room for less than 64 MB');
    expect(readdirSync(join(dir, 'nearly-full'))).toEqual([]);
    await storeOn(folder, () => Promise.resolve(LIMITS.files.minFreeBytes)).verify();
  });
});

test('a check whose file cannot be read back leaves none', async () => {
  const kept = new Set<string>();
  const store = storeOn({
    put: async (name: string) => void kept.add(name),
    getBytes: () => Promise.reject(new Error('Unreadable')),
    delete: async (name: string) => void kept.delete(name),
  });
  await expect(store.verify()).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
  expect([...kept]).toEqual([]);
});

describe('an S3 server', () => {
  let server: S3rver;
  let endpoint: string;

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
    server = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: join(dir, 's3'),
      configureBuckets: [{ name: 'identity', configs: [] }],
    });
    const { port } = await server.run();
    endpoint = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await server.close();
    vi.unstubAllEnvs();
  });

  const store = (bucket = 'identity', at = endpoint) =>
    createFileStore({ files: `s3://${bucket}?region=eu-central-1&endpoint=${at}`, dataDir: dir });

  test('stores files, byte for byte', async () => {
    await expectToKeep(store());
  });

  test('is unavailable if it has no such bucket, or refuses the key', async () => {
    await expect(store('nowhere').put('x', bytes)).rejects.toMatchObject({
      code: 'FILES_UNAVAILABLE',
    });
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'wrong');
    await expect(store().put('x', bytes)).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  });

  test('is unavailable after a few attempts, while it is away', async () => {
    const away = createServer();
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
    const { port } = away.address() as AddressInfo;
    await new Promise((resolve) => away.close(resolve));
    const put = store('identity', `http://127.0.0.1:${port}`).put('x', bytes);
    await expect(put).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
  });

  test('is asked again if it fails once', async () => {
    let asked = 0;
    const stumbling = createServer((request, response) => {
      asked += 1;
      request.resume();
      request.on('end', () => response.writeHead(asked === 1 ? 503 : 200).end());
    });
    await new Promise<void>((resolve) => stumbling.listen(0, '127.0.0.1', resolve));
    const { port } = stumbling.address() as AddressInfo;
    await store('identity', `http://127.0.0.1:${port}`).put('x', bytes);
    expect(asked).toBe(2);
    stumbling.closeAllConnections();
    await new Promise((resolve) => stumbling.close(resolve));
  });

  test('is given up if it never answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const hanging = storeOn({
      put: () => new Promise<void>(() => undefined),
      getBytes: () => new Promise<Uint8Array>(() => undefined),
      delete: () => new Promise<void>(() => undefined),
    });
    const outcome = hanging.put('x', bytes).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toMatchObject({ code: 'FILES_UNAVAILABLE' });
    vi.useRealTimers();
  });
});

describe('the address of a bucket', () => {
  test('is read with its region, endpoint and style', () => {
    expect(readS3Address('s3://identity?region=eu-central-1', 'PURSER_FILES')).toEqual({
      bucket: 'identity',
      prefix: '',
      region: 'eu-central-1',
      endpoint: null,
      usesPathStyle: false,
    });
    expect(
      readS3Address(
        's3://identity/roots/?region=auto&endpoint=https://s3.example.com&pathStyle=false',
        'PURSER_FILES',
      ),
    ).toEqual({
      bucket: 'identity',
      prefix: 'roots/',
      region: 'auto',
      endpoint: 'https://s3.example.com',
      usesPathStyle: false,
    });
  });

  test.each([
    ['https://identity'],
    ['s3://'],
    ['s3://identity'],
    ['s3://identity/folder?region=auto'],
    ['s3://key:secret@identity?region=auto'],
    ['s3://identity?regoin=auto'],
    ['s3://identity?endpoint=s3.example.com'],
  ])('%s is refused with a sentence that says what to correct', (address) => {
    const create = () => createFileStore({ files: address, dataDir: dir });
    expect(create).toThrow(/PURSER_FILES/);
  });
});
