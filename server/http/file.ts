import type { CsvFile } from './handlers.ts';

/**
 * Streams CSV as a download. The first lines are made before anything is sent, so that a refusal
 * still becomes a proper reply; a fault after that breaks the connection rather than ending a file
 * that looks whole.
 *
 * @param onEnd called once with the rows that were sent: at the end, and where the caller went away
 *   or a fault broke it
 */
export async function csvResponse(
  { name, chunks, rows }: CsvFile,
  onEnd: (sent: { rows: number; isWhole: boolean }) => Promise<void>,
): Promise<Response> {
  const iterator = chunks[Symbol.asyncIterator]();
  const end = (isWhole: boolean) => onEnd({ rows: rows(), isWhole });
  const first = await iterator.next();
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first.done === true) controller.close();
      else controller.enqueue(encoder.encode(first.value));
    },
    async pull(controller) {
      const { done, value } = await iterator.next().catch(async (fault: unknown) => {
        await end(false);
        throw fault;
      });
      if (done !== true) {
        controller.enqueue(encoder.encode(value));
        return;
      }
      await end(true);
      controller.close();
    },
    async cancel() {
      await iterator.return?.();
      await end(false);
    },
  });
  return new Response(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}"`,
    },
  });
}
