import sharp from 'sharp';
import { prepareImage } from '#server/modules/kyc/index.ts';

/** Pixels a side: sharp on dense screens at the largest size that is shown. */
export const AVATAR_EDGE_PX = 256;
const QUALITY = 82;

/**
 * Makes a picture of an uploaded image: a square JPEG without metadata.
 *
 * @throws {AppError} as `prepareImage`
 */
export async function cropAvatar(bytes: Buffer): Promise<Buffer> {
  const image = await prepareImage(bytes);
  return sharp(image.bytes)
    .resize({ width: AVATAR_EDGE_PX, height: AVATAR_EDGE_PX, fit: 'cover' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
