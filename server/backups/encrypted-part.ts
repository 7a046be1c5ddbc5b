import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { OTHER_BACKUP } from './backup-folder.ts';

/** A file of a backup: a tar, compressed by zstd and encrypted by age (age-encryption.org/v1). */
export interface Part {
  bytes: number;
  /** SHA-256 of the file as it is on the disk, hexadecimal. */
  sha256: string;
}

interface Tap {
  stream: Transform;
  sum: () => Part;
}

function tap(before: () => void = () => undefined): Tap {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        before();
      } catch (error) {
        done(error as Error);
        return;
      }
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, sum: () => ({ bytes, sha256: hash.copy().digest('hex') }) };
}

/** @throws {StartError} for a text that is no public key of age */
export function encrypterFor(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new StartError(
        `PURSER_BACKUP_KEY has "${recipient}", which is no public key of age; it begins with age1.`,
      );
    }
  }
  return encrypter;
}

/**
 * Writes a stream to a new file, compressed and encrypted, and flushes it to the disk.
 *
 * @param options.label encrypted before the content
 * @param options.recipients public keys of age
 * @param options.checkRoom called before each piece is written; the file ends with what it throws
 * @param options.stopped aborted where it is to be given up
 * @returns the file, and the sum of what went in
 */
export async function writePart(
  file: string,
  source: Readable,
  options: {
    label: string | undefined;
    recipients: readonly string[];
    checkRoom: () => void;
    stopped: AbortSignal;
  },
): Promise<{ stored: Part; content: Part }> {
  const { label, recipients, checkRoom, stopped: signal } = options;
  const [content, stored] = [tap(), tap(checkRoom)];
  const packed = new PassThrough();
  if (label !== undefined) packed.write(frameOf(label));
  const feeding = pipeline(source, content.stream, createZstdCompress(), packed, { signal });
  // It may fail before both are waited for.
  feeding.catch(() => undefined);
  const plain = Readable.toWeb(packed) as WebStream<Uint8Array>;
  const encrypted = await encrypterFor(recipients).encrypt(plain as ReadableStream<Uint8Array>);
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  const read = Readable.fromWeb(encrypted as WebStream);
  const writing = pipeline(read, stored.stream, output, { signal });
  await bothOf(feeding, writing);
  return { stored: stored.sum(), content: content.sum() };
}

/** First bytes of a frame that zstd skips (RFC 8878, section 3.1.2), so that its own program reads the part as well. */
const SKIPPED = Buffer.from([0x50, 0x2a, 0x4d, 0x18]);

function frameOf(label: string): Buffer {
  const text = Buffer.from(label);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([SKIPPED, length, text]);
}

/** Rest of a part after its label; null where it has another one, or has one and should not. */
async function afterLabel(
  plain: ReadableStream<Uint8Array>,
  label: string | undefined,
): Promise<AsyncGenerator<Uint8Array> | null> {
  const chunks = plain[Symbol.asyncIterator]();
  const expected = label === undefined ? SKIPPED : frameOf(label);
  const begun: Uint8Array[] = [];
  for (let bytes = 0; bytes < expected.length;) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    begun.push(value);
    bytes += value.length;
  }
  const first = Buffer.concat(begun);
  const isThere = first.subarray(0, expected.length).equals(expected);
  if (isThere !== (label !== undefined)) {
    await chunks.return?.();
    return null;
  }
  async function* rest() {
    yield isThere ? first.subarray(expected.length) : first;
    yield* chunks;
  }
  return rest();
}

/** Waits for both, so that nothing is left running. @throws the cause, and not what followed from it */
async function bothOf(...work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  if (failed.length === 0) return;
  throw failed.find((error) => !/^(?:ERR_STREAM|ABORT)/.test(errorCode(error) ?? '')) ?? failed[0];
}

/**
 * The tar in a file of {@link writePart}. It fails, with a sentence, where a byte is not as it was written: each 64 KB
 * has an authentication of its own, and so has the end.
 *
 * @param options.identity private key of age
 * @param options.label expected of it; undefined for a part of a backup of before there were labels
 * @throws {StartError} when the key is not one that the file was encrypted for, or the label differs
 */
export async function readPart(
  file: string,
  { identity, label }: { identity: string; label: string | undefined },
): Promise<Readable> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new StartError('The private key is none of age; it begins with AGE-SECRET-KEY-.');
  }
  const stored = Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;
  try {
    const rest = await afterLabel(await decrypter.decrypt(stored), label);
    if (rest === null) throw new StartError(`${file} is a part of another backup. ${OTHER_BACKUP}`);
    const unpacked = createZstdDecompress();
    pipeline(Readable.from(rest, { objectMode: false }), unpacked).catch(() => undefined);
    return unpacked;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const isOtherKey = String(error).includes('no identity matched');
    throw new StartError(
      isOtherKey
        ? `${file} was not encrypted for this key. Give --identity the key that was in use when it was made.`
        : `${file} is not as it was written (${String(error)}). ${OTHER_BACKUP}`,
      { cause: error },
    );
  }
}

/**
 * Sum of a stream.
 *
 * @param signal aborted where it is to be given up
 */
export async function sumOf(source: Readable, signal: AbortSignal): Promise<Part> {
  const { stream, sum } = tap();
  const readAll = async (chunks: AsyncIterable<unknown>) => {
    for await (const chunk of chunks) void chunk;
  };
  await pipeline(source, stream, readAll, { signal });
  return sum();
}
