import { crc32 } from 'node:zlib';

export interface ZippedFile {
  /** With its folder: `payslips/payslip-PAY-0048-0147.pdf`. Plain letters. */
  name: string;
  bytes: Uint8Array;
}

/** The format counts files and bytes with 16 and 32 bits; larger numbers would need ZIP64. */
const MOST_FILES = 65_535;
const MOST_BYTES = 4_294_967_295;

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
/** 2.0: folders. Files are stored uncompressed, because a PDF is compressed already. */
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;

/** Facts of a file that its header and its line in the directory have. */
interface Entry {
  name: string;
  size: number;
  checksum: number;
  /** Place of its header. */
  offset: number;
}

/**
 * A ZIP archive of files, a file at a time (APPNOTE.TXT 6.3.10, stored, without ZIP64). Only one
 * file and the list of names are in memory.
 *
 * @param at the time of all files, written as UTC, because the format has no zone
 * @throws RangeError past 65,535 files or 4 GB
 */
export async function* zip(files: AsyncIterable<ZippedFile>, at: Date): AsyncGenerator<Uint8Array> {
  // Not their headers: a small Buffer kept until the end keeps its slab of Node's pool, with the documents in it. That
  // was 54 KB a payslip.
  const entries: Entry[] = [];
  let offset = 0;
  for await (const { name, bytes } of files) {
    const entry = { name, size: bytes.length, checksum: crc32(bytes), offset };
    const local = Buffer.concat([uint32(LOCAL_HEADER), commonFields(entry, at), Buffer.from(name)]);
    if (entries.length === MOST_FILES || offset + local.length + bytes.length > MOST_BYTES) {
      throw new RangeError('More than an archive holds');
    }
    entries.push(entry);
    offset += local.length + bytes.length;
    yield local;
    yield bytes;
  }
  const directory = Buffer.concat(entries.map((entry) => centralHeader(entry, at)));
  yield directory;
  yield Buffer.concat([
    uint32(END),
    uint16(0, 0, entries.length, entries.length),
    uint32(directory.length, offset),
    uint16(0),
  ]);
}

/** Fields that a file's own header and its line in the directory share, starting at the version. */
function commonFields({ name, size, checksum }: Entry, at: Date): Buffer {
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return Buffer.concat([
    uint16(VERSION, FLAGS, 0, time, day),
    uint32(checksum, size, size),
    uint16(Buffer.byteLength(name), 0),
  ]);
}

function centralHeader(entry: Entry, at: Date): Buffer {
  return Buffer.concat([
    uint32(CENTRAL_HEADER),
    uint16(VERSION),
    commonFields(entry, at),
    uint16(0, 0, 0),
    uint32(0, entry.offset),
    Buffer.from(entry.name),
  ]);
}

function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16LE(value, 2 * index));
  return bytes;
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value, 4 * index));
  return bytes;
}
