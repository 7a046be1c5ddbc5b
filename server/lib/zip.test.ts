import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { collectGarbage } from '#test/garbage.ts';
import { until } from '#test/until.ts';
import { zip } from './zip.ts';
import type { ZippedFile } from './zip.ts';

const FILES = [
  { name: 'payslips/a.pdf', bytes: Buffer.from('first') },
  { name: 'empty.txt', bytes: Buffer.alloc(0) },
  { name: 'receipts/é.pdf', bytes: Buffer.from([0, 255, 80, 75]) },
];

/** It was 22 MB where the list of names kept the files. */
const MOST_KEPT_BYTES = 1_000_000;

async function* given(files: readonly ZippedFile[]): AsyncGenerator<ZippedFile> {
  yield* files;
}

async function archiveOf(files: readonly ZippedFile[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip(given(files), new Date('2026-12-08T15:04:06.000Z'))) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads an archive from its end, as every program does, by the offsets of the format. */
function unzip(archive: Buffer): { name: string; content: Buffer; time: number; day: number }[] {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  const files = Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const size = archive.readUInt32LE(at + 24);
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.subarray(at + 46, at + 46 + nameLength).toString();
    const local = archive.readUInt32LE(at + 42);
    expect(archive.readUInt32LE(local)).toBe(0x04034b50);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = archive.subarray(begin, begin + size);
    expect(archive.readUInt32LE(at + 16)).toBe(crc32(content));
    const file = {
      name,
      content,
      time: archive.readUInt16LE(at + 12),
      day: archive.readUInt16LE(at + 14),
    };
    at += 46 + nameLength;
    return file;
  });
  expect(at).toBe(end);
  return files;
}

test('an archive has its files unchanged, with their time', async () => {
  const files = unzip(await archiveOf(FILES));
  expect(files.map(({ name, content }) => ({ name, bytes: Buffer.from(content) }))).toEqual(FILES);
  expect(files[0]).toMatchObject({
    day: ((2026 - 1980) << 9) | (12 << 5) | 8,
    time: (15 << 11) | (4 << 5) | 3,
  });
});

test('an archive without files is valid', async () => {
  expect(unzip(await archiveOf([]))).toEqual([]);
});

test('requests each file only after the one before it was consumed', async () => {
  const asked: string[] = [];
  async function* slowly(): AsyncGenerator<ZippedFile> {
    for (const file of FILES) {
      asked.push(file.name);
      yield file;
    }
  }
  const chunks = zip(slowly(), new Date());
  await chunks.next();
  expect(asked).toHaveLength(1);
  await chunks.return(undefined);
  expect(asked).toHaveLength(1);
});

test('keeps no memory of files that were consumed', async () => {
  const memory = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  let kept = 0;
  async function* drawn(): AsyncGenerator<ZippedFile> {
    const before = memory();
    for (let index = 0; index < 1_000; index += 1) {
      // A piece of Node's pool, as most small Buffers are.
      const bytes = Buffer.allocUnsafe(Buffer.poolSize / 4);
      yield { name: `payslips/payslip-${index}.pdf`, bytes };
    }
    // The buffers of collected objects are freed by another thread, a moment later.
    await until(() => {
      kept = memory() - before;
      return kept < MOST_KEPT_BYTES;
    }).catch(() => undefined);
  }
  let sent = 0;
  for await (const chunk of zip(drawn(), new Date())) sent += chunk.length;
  expect(sent).toBeGreaterThan(16_000_000);
  expect(kept).toBeLessThan(MOST_KEPT_BYTES);
});
