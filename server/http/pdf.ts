import type { SentPdf } from './handlers.ts';

/** A PDF as a download. Opened on its own it can run no script and has no origin. */
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
