import { open, mkdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeRecord, encodeRecord, isCutShort } from '#server/lib/root-store.ts';
import type { ListedRecord, RootRecord, RootStore, Unreadable } from '#server/lib/root-store.ts';
import { errorCode } from '#server/lib/start-error.ts';

const OWNER_ONLY = 0o600;
/** Longer than the longest record. */
const TAIL_BYTES = 8 * 1024;

/**
 * A file with a record a line, to which lines are only appended (so `chattr +a` can enforce that).
 * Several processes may share it. A line that a power cut or a full disk left incomplete is skipped when the
 * newest record is read, and is reported when all are read. The next record follows on a line of its own.
 */
export function createFileRoots(path: string): RootStore {
  return {
    place: path,

    async newest() {
      const file = await openToRead(path);
      if (file === undefined) return undefined;
      try {
        return await lastRecord(file);
      } finally {
        await file.close();
      }
    },

    async *records() {
      const file = await openToRead(path);
      if (file === undefined) return;
      try {
        yield* readRecords(file, path);
      } finally {
        await file.close();
      }
    },

    async append(record) {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a+', OWNER_ONLY);
      try {
        const line = `${encodeRecord(record)}\n`;
        // One write each, so that lines of two processes never mix.
        await file.appendFile((await endsWithLine(file)) ? line : `\n${line}`);
        await file.sync();
      } finally {
        await file.close();
      }
    },

    close: () => Promise.resolve(),
  };
}

async function openToRead(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function* readRecords(
  file: FileHandle,
  path: string,
): AsyncGenerator<ListedRecord | Unreadable> {
  let number = 0;
  for await (const line of file.readLines({ autoClose: false })) {
    number += 1;
    if (line === '') continue;
    const place = { unreadable: `line ${number} of ${path}` };
    yield parse(line) ?? (isCutShort(line) ? { ...place, isCutShort: true } : place);
  }
}

/** @throws when the file has lines, and none of the last can be read */
async function lastRecord(file: FileHandle): Promise<RootRecord | undefined> {
  const tail = await readTail(file);
  const lines = tail.split('\n').filter((line) => line !== '');
  for (const line of lines.toReversed()) {
    const record = parse(line);
    if (record !== undefined) return record;
  }
  if (lines.length > 0) throw new Error('The last lines of the file are no roots');
  return undefined;
}

async function readTail(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const from = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  return buffer.toString('utf8', 0, bytesRead);
}

async function endsWithLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() === '\n';
}

/** An editor may have put a mark of the encoding before the first line. */
function parse(line: string): RootRecord | undefined {
  try {
    return decodeRecord(line.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
