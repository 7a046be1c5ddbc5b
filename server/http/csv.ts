import type { CsvFile } from './handlers.ts';

/**
 * Streams CSV as a download. The first lines are made before anything is sent, so that a refusal
 * still becomes a proper reply; a fault after that breaks the connection rather than ending a file
 * that looks whole.
 */
export async function csvResponse({ name, chunks }: CsvFile): Promise<Response> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first.done === true) controller.close();
      else controller.enqueue(encoder.encode(first.value));
    },
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}"`,
    },
  });
}
