import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '#contract/kyc.ts';

export const IMAGE_ACCEPT = IMAGE_TYPES.join(',');
export const IMAGE_RULE = 'JPEG, PNG or WebP, up to 5 MB';

/** Why this file cannot be uploaded; undefined when it can be tried. The server looks closer. */
export function imageProblem({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  const isImage = IMAGE_TYPES.some((known) => known === type);
  if (!isImage) return 'Please select a valid image file (JPEG, PNG, or WebP)';
  return size > MAX_IMAGE_BYTES ? 'Image size must be less than 5MB' : undefined;
}

/** Qualities that may make an image hard to read. Advice alone: nothing is refused for them. */
export type ImageDoubt = 'blurred' | 'dark' | 'glare';

const DOUBT_WORDS: Record<ImageDoubt, string> = {
  blurred: 'it looks blurred',
  dark: 'it is rather dark',
  glare: 'there is glare on it',
};

/** "This image may be hard to read: it looks blurred and there is glare on it." */
export function doubtSentence(doubts: readonly ImageDoubt[]): string {
  const words = doubts.map((doubt) => DOUBT_WORDS[doubt]);
  return `This image may be hard to read: ${words.join(' and ')}. You can replace it or keep it.`;
}

/** The longer side that is judged: enough for print on a card to count as detail. */
const JUDGED_EDGE_PX = 640;
const DARK_BELOW_LUMA = 60;
const BLOWN_OUT_LUMA = 252;
/** A spot of glare covers some of the image; a white page covers more and is none. */
const GLARE_SHARE = { from: 0.03, to: 0.25 };
/** Variance of the Laplacian; sharp print lies in the hundreds, out of focus far below. */
const SHARP_FROM_VARIANCE = 45;

/**
 * Looks at an image on this device, before it leaves: nothing is sent. An image that cannot be
 * judged raises no doubt.
 */
export async function judgeImage(image: Blob): Promise<ImageDoubt[]> {
  try {
    const bitmap = await createImageBitmap(image);
    const scale = Math.min(1, JUDGED_EDGE_PX / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (context === null) return [];
    context.drawImage(bitmap, 0, 0, width, height);
    bitmap.close();
    return judgeLuma(lumaOf(context.getImageData(0, 0, width, height).data), width, height);
  } catch {
    return [];
  }
}

/** Brightness per pixel, 0 to 255 (Rec. 601), of RGBA bytes. */
function lumaOf(rgba: Uint8ClampedArray): Uint8ClampedArray {
  const luma = new Uint8ClampedArray(rgba.length / 4);
  for (let pixel = 0; pixel < luma.length; pixel += 1) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(pixel * 4, pixel * 4 + 3);
    luma[pixel] = 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  return luma;
}

/** @param luma brightness 0 to 255, row by row */
export function judgeLuma(luma: Uint8ClampedArray, width: number, height: number): ImageDoubt[] {
  const mean = luma.reduce((sum, value) => sum + value, 0) / luma.length;
  const blownOut = luma.filter((value) => value >= BLOWN_OUT_LUMA).length / luma.length;
  const doubts: ImageDoubt[] = [];
  if (laplacianVariance(luma, width, height) < SHARP_FROM_VARIANCE) doubts.push('blurred');
  if (mean < DARK_BELOW_LUMA) doubts.push('dark');
  if (blownOut > GLARE_SHARE.from && blownOut < GLARE_SHARE.to) doubts.push('glare');
  return doubts;
}

/** Variance of edges: the usual measure of focus. 0 for anything smaller than 3 by 3. */
function laplacianVariance(luma: Uint8ClampedArray, width: number, height: number): number {
  let sum = 0;
  let squares = 0;
  let count = 0;
  const at = (index: number) => luma[index] ?? 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const index = y * width + x;
      const sides = at(index - 1) + at(index + 1) + at(index - width) + at(index + width);
      const edge = sides - 4 * at(index);
      sum += edge;
      squares += edge * edge;
      count += 1;
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}
