import { parentPort } from 'node:worker_threads';
import type { AccountDocument } from '#contract/api.ts';
import { drawDocument } from './draw-document.ts';

/**
 * Draws one document after another, as they arrive, and answers with the bytes of the PDF. A failure ends the thread.
 */
parentPort?.on('message', (document: AccountDocument) => void draw(document));

async function draw(document: AccountDocument): Promise<void> {
  const pdf = await drawDocument(document);
  // Its memory goes over. A copy of a piece of Node's pool would be one of all the pool.
  parentPort?.postMessage(pdf, [pdf.buffer]);
}
