import sharp from 'sharp';
import { fileTypeFromBuffer } from 'file-type';
import { createHash } from 'node:crypto';
import type { Metadata } from 'sharp';
import { IMAGE_TYPES, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from '#contract/kyc.ts';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';

/** An image that we made ourselves from what came: a JPEG, upright, without metadata. */
export interface PreparedImage {
  bytes: Buffer;
  width: number;
  height: number;
  /** SHA-256 of the bytes that came, and of the image made of them, which differs in no metadata. */
  originalSha256: Buffer;
  imageSha256: Buffer;
}

/** Enough to read the smallest print of a document. */
const MAX_EDGE_PX = 3_000;
const QUALITY = 85;

// A thread for each image: several are decoded concurrently already. No image is requested twice.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Decodes all of an image and encodes it again, so that nothing of what came is kept but its pixels:
 * no metadata, and nothing hidden before, between or behind them.
 *
 * @throws {AppError} `image_invalid` for what is no JPEG, PNG or WebP by its first bytes,
 *   `image_too_large`, `image_too_many_pixels`, `image_too_heavy`, `image_damaged`
 */
export async function prepareImage(bytes: Buffer): Promise<PreparedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) throw new AppError('image_too_large');
  const type = await fileTypeFromBuffer(bytes);
  if (!IMAGE_TYPES.some((allowed) => allowed === type?.mime)) throw new AppError('image_invalid');
  // The header alone says how large it would get, before anything is decoded.
  const header = sharp(bytes, { limitInputPixels: false });
  const metadata = await orDamaged(header.metadata());
  if (metadata.width * metadata.height > MAX_IMAGE_PIXELS) {
    throw new AppError('image_too_many_pixels');
  }
  if (bytesHeldWhole(metadata) > LIMITS.uploads.heldWholeBytes) {
    throw new AppError('image_too_heavy');
  }
  const { data, info } = await orDamaged(
    sharp(bytes, { failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS })
      .autoOrient()
      .resize({
        width: MAX_EDGE_PX,
        height: MAX_EDGE_PX,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: QUALITY })
      .timeout({ seconds: LIMITS.uploads.decodeTimeoutS })
      .toBuffer({ resolveWithObject: true }),
  );
  return {
    bytes: data,
    width: info.width,
    height: info.height,
    originalSha256: sha256(bytes),
    imageSha256: sha256(data),
  };
}

async function orDamaged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw new AppError('image_damaged');
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** libjpeg keeps each coefficient of a picture of several scans in 16 bits. */
const BYTES_PER_COEFFICIENT = 2;

/**
 * Number of bytes in memory while an image is decoded and made smaller, by its
 * header alone. Mostly 0: a few rows at a time go through. An interlaced PNG, a progressive JPEG and
 * a WebP are decoded whole; so is what has 16 bits a sample and has to be set upright.
 */
export function bytesHeldWhole(header: Metadata): number {
  const { format, width, height, channels, isProgressive, orientation = 1 } = header;
  const samples = width * height * channels;
  const bytesPerSample = header.depth === 'uchar' ? 1 : 2;
  // However the colours are subsampled: the header's word for that is not to be relied on.
  if (format === 'jpeg') return isProgressive ? samples * BYTES_PER_COEFFICIENT : 0;
  // libwebp decodes into four channels.
  if (format === 'webp') return width * height * 4;
  const isHeld = isProgressive || (bytesPerSample > 1 && orientation > 1);
  return isHeld ? samples * bytesPerSample : 0;
}
