import type { CsvFile, ZipArchive } from './handlers.ts';

/**
 * Streams CSV, or an archive, as a download. The first chunk is created before anything is sent, so
 * that a refusal is still a proper reply. A later error breaks the connection, so that no file
 * looks complete that is not.
 *
 * @param onEnd called once with the number of rows, or files, sent: at the end, or when the caller
 *   disconnected or an error broke it
 */
export async function fileResponse(
  { name, chunks, rows }: CsvFile | ZipArchive,
  mediaType: string,
  onEnd: (sent: { rows: number; isWhole: boolean }) => Promise<void>,
): Promise<Response> {
  const iterator = chunks[Symbol.asyncIterator]();
  const end = (isWhole: boolean) => onEnd({ rows: rows(), isWhole });
  const first = await iterator.next();
  const encoder = new TextEncoder();
  const bytesOf = (chunk: string | Uint8Array) =>
    typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first.done === true) controller.close();
      else controller.enqueue(bytesOf(first.value));
    },
    async pull(controller) {
      const { done, value } = await iterator.next().catch(async (fault: unknown) => {
        await end(false);
        throw fault;
      });
      if (done !== true) {
        controller.enqueue(bytesOf(value));
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
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '-')}"`,
    },
  });
}
