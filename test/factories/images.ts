import sharp from 'sharp';

/** A small picture of one colour, different for each seed, as a device would send it. */
export function picture(
  format: 'jpeg' | 'png' | 'webp' = 'jpeg',
  { seed = 1, width = 320, height = 200 }: { seed?: number; width?: number; height?: number } = {},
): Promise<Buffer> {
  const background = { r: (seed * 37) % 256, g: (seed * 91) % 256, b: (seed * 151) % 256 };
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
}
