import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { errorCode, StartError } from '#server/lib/start-error.ts';

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
 * @param options.recipients public keys of age
 * @param options.checkRoom called before each piece is written; the file ends with what it throws
 * @param options.stopped aborted where it is to be given up
 * @returns the file, and the sum of what went in
 */
export async function writePart(
  file: string,
  source: Readable,
  options: { recipients: readonly string[]; checkRoom: () => void; stopped: AbortSignal },
): Promise<{ stored: Part; content: Part }> {
  const { recipients, checkRoom, stopped: signal } = options;
  const [content, stored] = [tap(), tap(checkRoom)];
  const packed = createZstdCompress();
  const feeding = pipeline(source, content.stream, packed, { signal });
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
 * @throws {StartError} when the key is not one that the file was encrypted for
 */
export async function readPart(file: string, identity: string): Promise<Readable> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new StartError('The private key is none of age; it begins with AGE-SECRET-KEY-.');
  }
  const stored = Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;
  try {
    const plain = await decrypter.decrypt(stored);
    const unpacked = createZstdDecompress();
    pipeline(Readable.fromWeb(plain as WebStream), unpacked).catch(() => undefined);
    return unpacked;
  } catch (error) {
    const isOtherKey = String(error).includes('no identity matched');
    throw new StartError(
      isOtherKey
        ? `${file} was not encrypted for this key. Give --identity the key that was in use when it was made.`
        : `${file} is not as it was written (${String(error)}).`,
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
