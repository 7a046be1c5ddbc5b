import { parentPort, workerData } from 'node:worker_threads';
import type { DrawFirstView, FirstView } from '#contract/first-view.ts';

/** Messages to the thread: draw a page, and the API's replies for that drawing. */
export type ToWorker =
  | { kind: 'draw'; id: number; href: string; cookies: Readonly<Record<string, string>> }
  /** `text` is JSON; undefined for an unsuccessful reply. */
  | { kind: 'reply'; id: number; question: number; text: string | undefined };

/** A drawing whose replies are JSON that cannot end a script element. */
export interface DrawnView {
  title: string;
  html: string;
  replies: string;
}

export type FromWorker =
  | { kind: 'ask'; id: number; question: number; method: string; address: string }
  | { kind: 'drawn'; id: number; view: DrawnView | null }
  | { kind: 'failed'; id: number; error: Error };

/** Keyed by drawing and request. */
const waiting = new Map<string, (text: string | undefined) => void>();
const { module } = workerData as { module: string };
const { drawFirstView } = (await import(module)) as { drawFirstView: DrawFirstView };

function send(message: FromWorker): void {
  parentPort?.postMessage(message, []);
}

async function draw({ id, href, cookies }: ToWorker & { kind: 'draw' }): Promise<void> {
  let asked = 0;
  try {
    const view = await drawFirstView({
      href,
      cookie: (name) => cookies[name],
      ask(method, address) {
        const question = (asked += 1);
        const { promise, resolve } = Promise.withResolvers<string | undefined>();
        waiting.set(`${id} ${question}`, resolve);
        send({ kind: 'ask', id, question, method, address });
        // A reply that is no JSON fails this drawing, not the thread.
        return promise.then((text) => (text === undefined ? undefined : JSON.parse(text)));
      },
    });
    send({ kind: 'drawn', id, view: view ? written(view) : null });
  } catch (error) {
    send({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) });
  }
}

function written({ title, html, replies }: FirstView): DrawnView {
  return { title, html, replies: JSON.stringify(replies).replaceAll('<', String.raw`\u003c`) };
}

function answer({ id, question, text }: ToWorker & { kind: 'reply' }): void {
  const key = `${id} ${question}`;
  waiting.get(key)?.(text);
  waiting.delete(key);
}

/**
 * Draws pages for the server, several concurrently. The server makes the API requests of a drawing.
 */
parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'draw') void draw(message);
  else answer(message);
});
