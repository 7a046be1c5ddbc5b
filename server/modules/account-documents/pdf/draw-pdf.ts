import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AccountDocument } from '#contract/api.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { Slots } from '#server/lib/slots.ts';

const { atOnce, waitMs, drawMs, idleMs, memoryMb } = LIMITS.drawing;
const slots = new Slots(atOnce, waitMs);
/**
 * Threads that have drawn and can draw again. Loading the library and the fonts takes the most
 * time.
 */
const idle = new Map<Worker, NodeJS.Timeout>();

/**
 * Draws a document as PDF in a thread of its own, so that the process can serve others. It is
 * complete before any of it is sent, so that a slow reader does not occupy a thread; the longest is
 * some megabytes.
 *
 * @throws {AppError} `unavailable` after waiting too long for other documents
 */
export function drawPdf(document: AccountDocument): Promise<Uint8Array<ArrayBuffer>> {
  return slots.run(async () => {
    const worker = takeWorker();
    try {
      const bytes = await drawBy(worker, document);
      keepWorker(worker);
      return bytes;
    } catch (error) {
      // The thread may be in the middle of a drawing.
      await worker.terminate();
      throw error;
    }
  });
}

async function drawBy(worker: Worker, document: AccountDocument): Promise<Uint8Array<ArrayBuffer>> {
  const signal = AbortSignal.timeout(drawMs);
  const messages = on(worker, 'message', { close: ['exit'], signal });
  worker.postMessage(document, []);
  for await (const [pdf] of messages as AsyncIterable<[Uint8Array<ArrayBuffer>]>) return pdf;
  throw new Error('The thread that drew a document ended before the document was complete');
}

function takeWorker(): Worker {
  const [kept] = idle;
  if (kept === undefined) return newWorker();
  const [worker, timer] = kept;
  idle.delete(worker);
  clearTimeout(timer);
  return worker;
}

function newWorker(): Worker {
  const worker = new Worker(new URL('draw-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  // Neither an idle thread nor one that draws keeps the process from ending.
  worker.unref();
  // A thread that fails while idle is not used again.
  worker.on('error', () => idle.delete(worker));
  worker.on('exit', () => idle.delete(worker));
  return worker;
}

function keepWorker(worker: Worker): void {
  const timer = setTimeout(() => {
    idle.delete(worker);
    void worker.terminate();
  }, idleMs);
  timer.unref();
  idle.set(worker, timer);
}
