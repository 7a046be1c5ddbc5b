import { crc32, createDeflate } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { picture } from '#test/factories/images.ts';
import { processorMs } from '#test/processor-time.ts';
import { prepareImage } from './prepare-image.ts';

const HTML = '<!doctype html><script>alert(document.cookie)</script>';

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

interface PngHeader {
  edgePx: number;
  bits: 1 | 8 | 16;
  colour: 'grey' | 'rgba';
  isInterlaced?: boolean;
}

function pngOf({ edgePx, bits, colour, isInterlaced = false }: PngHeader, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edgePx, 0);
  header.writeUInt32BE(edgePx, 4);
  header.writeUInt8(bits, 8);
  header.writeUInt8(colour === 'grey' ? 0 : 6, 9);
  header.writeUInt8(isInterlaced ? 1 : 0, 12);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A real PNG of that many white pixels each way, one bit each: it compresses to almost nothing. */
async function bomb(edgePx: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 1 });
  const compressed = deflate.toArray();
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(Math.ceil(edgePx / 8), 0xff)]);
  const rows = Buffer.concat(Array.from({ length: 100 }, () => row));
  for (let written = 0; written < edgePx; written += 100) deflate.write(rows);
  deflate.end();
  const data = Buffer.concat((await compressed) as Buffer[]);
  return pngOf({ edgePx, bits: 1, colour: 'grey' }, data);
}

async function refusal(bytes: Buffer): Promise<unknown> {
  const outcome = await prepareImage(bytes).catch((error: unknown) => error);
  return outcome instanceof Error && 'code' in outcome ? outcome.code : outcome;
}

describe('an image', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('as %s becomes a JPEG of ours', async (format) => {
    const prepared = await prepareImage(await picture(format));
    expect(await sharp(prepared.bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: 320,
      height: 200,
    });
    expect(prepared).toMatchObject({ width: 320, height: 200 });
  });

  test('is set upright and keeps no metadata', async () => {
    const original = await sharp(await picture())
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'Maya Castellanos', ImageDescription: '47.6, -122.3' } })
      .toBuffer();
    expect(original.includes('Maya Castellanos')).toBe(true);
    const { bytes, width, height } = await prepareImage(original);
    expect({ width, height }).toEqual({ width: 200, height: 320 });
    const kept = await sharp(bytes).metadata();
    expect([kept.exif, kept.icc, kept.xmp, kept.iptc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(bytes.includes('Maya')).toBe(false);
  });

  test('is the same image with other metadata, and another with other pixels', async () => {
    const plain = await picture();
    const tagged = await sharp(plain)
      .withExif({ IFD0: { Copyright: 'x' } })
      .toBuffer();
    const [one, other] = [await prepareImage(plain), await prepareImage(await picture('png'))];
    expect((await prepareImage(plain)).originalSha256).toEqual(one.originalSha256);
    expect((await prepareImage(tagged)).originalSha256).not.toEqual(one.originalSha256);
    const different = await prepareImage(await picture('png', { seed: 2 }));
    expect(different.imageSha256).not.toEqual(other.imageSha256);
  });

  test('is made no larger than it has to be to be read', async () => {
    const large = await picture('jpeg', { width: 3_600, height: 1_800 });
    expect(await prepareImage(large)).toMatchObject({ width: 3_000, height: 1_500 });
  });

  test('loses whatever was hidden in or behind it', async () => {
    const jpeg = await picture();
    const comment = Buffer.concat([Buffer.from('fffe0000', 'hex'), Buffer.from(HTML)]);
    comment.writeUInt16BE(HTML.length + 2, 2);
    const polyglot = Buffer.concat([
      jpeg.subarray(0, 2),
      comment,
      jpeg.subarray(2),
      Buffer.from(`${HTML}PK\u0003\u0004`),
    ]);
    const { bytes } = await prepareImage(polyglot);
    expect(polyglot.includes('<script>')).toBe(true);
    expect(bytes.includes('script')).toBe(false);
    expect(bytes.includes('PK\u0003\u0004')).toBe(false);
  });
});

describe('a file that is no image, or not a whole one, is refused', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a page named like a PNG', Buffer.from(HTML)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9"/></svg>')],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['a GIF', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')],
  ])('%s', async (_what, bytes) => {
    expect(await refusal(bytes)).toBe('image_invalid');
  });

  test('a page with a picture behind it', async () => {
    const bytes = Buffer.concat([Buffer.from(HTML), await picture('png')]);
    expect(await refusal(bytes)).toBe('image_invalid');
  });

  test('the first bytes of a PNG before a page', async () => {
    const bytes = Buffer.concat([(await picture('png')).subarray(0, 60), Buffer.from(HTML)]);
    expect(await refusal(bytes)).toBe('image_damaged');
  });

  test.each(['jpeg', 'png', 'webp'] as const)('half of a %s', async (format) => {
    const noise = Buffer.from(Array.from({ length: 300 * 200 * 3 }, (_, at) => (at * 7919) % 251));
    const whole = await sharp(noise, { raw: { width: 300, height: 200, channels: 3 } })
      .toFormat(format)
      .toBuffer();
    expect(await refusal(whole.subarray(0, whole.length / 2))).toBe('image_damaged');
  });

  test('more than 5 MB', async () => {
    const bytes = Buffer.concat([await picture(), Buffer.alloc(MAX_IMAGE_BYTES)]);
    expect(await refusal(bytes.subarray(0, MAX_IMAGE_BYTES + 1))).toBe('image_too_large');
  });

  test('40,000 x 40,000 pixels in a few hundred kilobytes, before any is decoded', async () => {
    const bytes = await bomb(40_000);
    expect(bytes.length).toBeLessThan(MAX_IMAGE_BYTES);
    const usedMs = await processorMs(async () => {
      expect(await refusal(bytes)).toBe('image_too_many_pixels');
    });
    expect(usedMs).toBeLessThan(1_000);
  });

  test('an image that the decoder would have to hold whole, by its header', async () => {
    const interlaced = { edgePx: 7_050, bits: 16, colour: 'rgba', isInterlaced: true } as const;
    expect(await refusal(pngOf(interlaced, Buffer.alloc(9)))).toBe('image_too_heavy');
    const white = (edgePx: number) =>
      sharp({ create: { width: edgePx, height: edgePx, channels: 3, background: 'white' } });
    const progressive = await white(3_800).jpeg({ progressive: true }).toBuffer();
    expect(await refusal(progressive)).toBe('image_too_heavy');
    const webp = await white(4_500).webp({ effort: 0 }).toBuffer();
    expect(await refusal(webp)).toBe('image_too_heavy');
    const photo = await white(7_000).jpeg().toBuffer();
    expect(await prepareImage(photo)).toMatchObject({ width: 3_000, height: 3_000 });
  });
});
