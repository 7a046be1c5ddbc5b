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

/**
 * A ZIP archive of files, a file at a time (APPNOTE.TXT 6.3.10, stored, without ZIP64). Only one
 * file and the list of names are in memory.
 *
 * @param at the time of all files, written as UTC, because the format has no zone
 * @throws RangeError past 65,535 files or 4 GB
 */
export async function* zip(files: AsyncIterable<ZippedFile>, at: Date): AsyncGenerator<Uint8Array> {
  const central: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes } of files) {
    const fields = commonFields(Buffer.byteLength(name), bytes, at);
    const local = Buffer.concat([uint32(LOCAL_HEADER), fields, Buffer.from(name)]);
    if (central.length === MOST_FILES || offset + local.length + bytes.length > MOST_BYTES) {
      throw new RangeError('More than an archive holds');
    }
    central.push(centralHeader(fields, name, offset));
    offset += local.length + bytes.length;
    yield local;
    yield bytes;
  }
  const directory = Buffer.concat(central);
  yield directory;
  yield Buffer.concat([
    uint32(END),
    uint16(0, 0, central.length, central.length),
    uint32(directory.length, offset),
    uint16(0),
  ]);
}

/** Fields that a file's own header and its line in the directory share, starting at the version. */
function commonFields(nameLength: number, bytes: Uint8Array, at: Date): Buffer {
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return Buffer.concat([
    uint16(VERSION, FLAGS, 0, time, day),
    uint32(crc32(bytes), bytes.length, bytes.length),
    uint16(nameLength, 0),
  ]);
}

function centralHeader(fields: Buffer, name: string, offset: number): Buffer {
  return Buffer.concat([
    uint32(CENTRAL_HEADER),
    uint16(VERSION),
    fields,
    uint16(0, 0, 0),
    uint32(0, offset),
    Buffer.from(name),
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
