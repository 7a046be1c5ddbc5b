import type { Metadata } from 'sharp';

/** libjpeg keeps each coefficient of a picture of several scans in 16 bits. */
const BYTES_PER_COEFFICIENT = 2;

/**
 * How many bytes of an image lie in memory at once while it is decoded and made smaller, by its
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
