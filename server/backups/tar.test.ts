import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { packFolder, unpackInto } from './tar.ts';

test('a tar is read to the end of its stream, not of its files', async () => {
  const home = mkdtempSync(join(tmpdir(), 'purser-tar-'));
  try {
    const [from, into] = [join(home, 'from'), join(home, 'into')];
    for (const folder of [from, into]) mkdirSync(folder);
    writeFileSync(join(from, 'roots.jsonl'), 'one\n');
    const tar = await buffer(packFolder(from, ['roots.jsonl']));
    // More than a pipe holds: a program that ends with the last file leaves its sender with a broken one.
    const zeros = Array.from({ length: 64 }, () => Buffer.alloc(65_536));
    await unpackInto(into, Readable.from([tar, ...zeros]), new AbortController().signal);
    expect(readFileSync(join(into, 'roots.jsonl'), 'utf8')).toBe('one\n');
  } finally {
    rmSync(home, { recursive: true });
  }
});
