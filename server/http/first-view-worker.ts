import { parentPort, workerData } from 'node:worker_threads';
import type { DrawFirstView } from '#contract/first-view.ts';

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
const waiting = new Map<string, (reply: unknown) => void>();
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
        const { promise, resolve } = Promise.withResolvers<unknown>();
        waiting.set(`${id} ${question}`, resolve);
        send({ kind: 'ask', id, question, method, address });
        return promise;
      },
    });
    const written = view && {
      ...{ title: view.title, html: view.html },
      replies: JSON.stringify(view.replies).replaceAll('<', String.raw`\u003c`),
    };
    send({ kind: 'drawn', id, view: written });
  } catch (error) {
    send({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) });
  }
}

function answer({ id, question, text }: ToWorker & { kind: 'reply' }): void {
  const key = `${id} ${question}`;
  waiting.get(key)?.(text === undefined ? undefined : JSON.parse(text));
  waiting.delete(key);
}

/**
 * Draws pages for the server, several concurrently. The server makes the API requests of a drawing.
 */
parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'draw') void draw(message);
  else answer(message);
});
