import { Worker } from 'node:worker_threads';
import { LIMITS } from '#server/lib/limits.ts';
import type { DrawnView, FromWorker, ToWorker } from './first-view-worker.ts';

const { hungMs, idleMs, memoryMb, youngMemoryMb } = LIMITS.firstView;

export interface Drawing {
  href: string;
  cookies: Readonly<Record<string, string>>;
  /** Calls the API. Returns JSON, or undefined for an unsuccessful reply. */
  ask: (method: string, address: string) => Promise<string | undefined>;
}

interface InProgress extends Drawing {
  resolve: (view: DrawnView | null) => void;
  reject: (error: Error) => void;
}

/**
 * Draws pages in a separate thread, so that the process can serve others, and so that the memory
 * that a drawing leaves behind is bounded. The thread starts with the first page and ends after
 * some time without one. A thread that fails or hangs is replaced.
 *
 * @param module address of the built `web/first-view.tsx`
 */
export class FirstViewThread {
  readonly #module: string;
  readonly #drawings = new Map<number, InProgress>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(module: string) {
    this.#module = module;
  }

  get inProgress(): number {
    return this.#drawings.size;
  }

  /** @throws {Error} of the drawing, or of the thread */
  async draw(drawing: Drawing): Promise<DrawnView | null> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<DrawnView | null>();
    this.#drawings.set(id, { ...drawing, resolve, reject });
    const hung = setTimeout(() => void worker.terminate(), hungMs).unref();
    post(worker, { kind: 'draw', id, href: drawing.href, cookies: drawing.cookies });
    try {
      return await promise;
    } finally {
      clearTimeout(hung);
      this.#drawings.delete(id);
      if (this.#drawings.size === 0) {
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => void this.#worker?.terminate(), idleMs).unref();
      }
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('first-view-worker.ts', import.meta.url), {
      workerData: { module: this.#module },
      resourceLimits: {
        maxOldGenerationSizeMb: memoryMb,
        maxYoungGenerationSizeMb: youngMemoryMb,
      },
    });
    // Neither an idle thread nor one that draws keeps the process from ending.
    worker.unref();
    worker.on('message', (message: FromWorker) => this.#receive(worker, message));
    worker.on('error', (error) => this.#end(worker, error));
    worker.on('exit', () => this.#end(worker, new Error('The thread that draws pages ended')));
    return worker;
  }

  #receive(worker: Worker, message: FromWorker): void {
    const drawing = this.#drawings.get(message.id);
    if (message.kind === 'drawn') drawing?.resolve(message.view);
    else if (message.kind === 'failed') drawing?.reject(message.error);
    else {
      const { id, question, method, address } = message;
      const reply = (text: string | undefined) =>
        post(worker, { kind: 'reply', id, question, text });
      drawing?.ask(method, address).then(reply, () => reply(undefined));
    }
  }

  #end(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const reason = error instanceof Error ? error : new Error(String(error));
    for (const { reject } of this.#drawings.values()) reject(reason);
  }
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message, []);
}
