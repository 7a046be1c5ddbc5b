import type { SentPdf } from './handlers.ts';

/** A PDF as a download. Opened by itself it may run nothing and belongs to no origin. */
export function pdfResponse({ bytes, fileName }: SentPdf): Response {
  return new Response(bytes, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '-')}.pdf"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  });
}
