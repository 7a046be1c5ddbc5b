import type { SentImage, UploadBody } from './handlers.ts';
import { readBytes, streamBytes } from './input.ts';

/** Bytes of a request, unread until a handler reads them. */
export function uploadBody(request: Request): UploadBody {
  return {
    read: (maxBytes) => readBytes(request, maxBytes, 'image_too_large'),
    stream: (maxBytes, refusal) => streamBytes(request, maxBytes, refusal),
  };
}

/**
 * An image as a download. Opened on its own it can run no script and has no origin, whatever type a
 * browser takes it for. An `<img>` of ours can still show it.
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
