import type { SentImage, UploadBody } from './handlers.ts';
import { readBytes, streamBytes } from './body.ts';

/** The bytes of a request, unread until a handler asks. */
export function uploadBody(request: Request): UploadBody {
  return {
    read: (maxBytes) => readBytes(request, maxBytes, 'image_too_large'),
    stream: (maxBytes, refusal) => streamBytes(request, maxBytes, refusal),
  };
}

/**
 * An image as a download. Opened by itself it may run nothing and belongs to no origin, whatever a
 * browser takes its bytes for; in an `<img>` of ours it shows all the same.
 */
export function imageResponse({ bytes, mediaType, fileName }: SentImage): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': mediaType,
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '-')}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  });
}
