import { parentPort } from 'node:worker_threads';
import type { AccountDocument } from '#contract/api.ts';
import { drawDocument } from './draw-document.ts';

/** Bytes of a PDF, or its end. */
export type Drawn = { chunk: Uint8Array } | { isDone: true };

/** Draws one document after another, as they arrive. A failure ends the thread. */
parentPort?.on('message', (document: AccountDocument) => {
  drawDocument(document, {
    onChunk: (chunk) => parentPort?.postMessage({ chunk } satisfies Drawn, []),
    onEnd: () => parentPort?.postMessage({ isDone: true } satisfies Drawn, []),
  });
});
