import type { UploadBody } from '#server/http/handlers.ts';

/** A file as its bytes arrive. */
export function bodyOf(content: string | Uint8Array): UploadBody {
  return {
    read: () => Promise.resolve(Buffer.from(content)),
    stream: async function* stream() {
      yield Buffer.from(content);
    },
  };
}
