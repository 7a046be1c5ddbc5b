import { newKey } from '#web/lib/new-key.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EventTopic } from '#contract/live-topics.ts';
import { ApiError, isUnconfirmed, type CallOptions } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { isDefinitive } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { pagePerson } from '#web/api/session-lock.ts';

/** Outcome of one item. `unknown`: no answer came, so it may have been done. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'refused'; message: string }
  | { kind: 'unknown'; message: string };

/** Interval at which a run reports its progress: drawing each of 1,743 would freeze the page. */
const NOTIFY_EVERY_MS = 200;

interface RunOptions<Item> {
  queryClient: QueryClient;
  items: readonly Item[];
  idOf: (item: Item) => string;
  send: (item: Item, options: CallOptions) => Promise<unknown>;
  /** Topics to load again when all items are done. */
  topics: readonly EventTopic[];
  /** "Approving", for the line that shows how far it is. */
  label: string;
  /** Things that an item has, and those of them that were done once it was answered; each 1 without it. */
  sizes?: { of: (item: Item) => number; done: (item: Item) => number };
  /** Shows the results, for a user who left the screen during the run. */
  drawResults: (onClose: () => void) => ReactNode;
}

/**
 * The same act on several things, one after the other, each as a request of its own: one that is refused
 * stops none of the others. Each keeps its Idempotency-Key, so running it again where an answer did not
 * come cannot do it twice. It belongs to the page and goes on when its screen is left.
 */
export class BulkRun<Item = never> {
  readonly id = newKey();
  readonly outcomes = new Map<string, Outcome>();
  isRunning = false;
  /** True if its own dialog is open; otherwise a line on every screen shows it. */
  isShown = true;
  readonly #keys = new Map<string, string>();
  readonly #options: RunOptions<Item>;
  readonly #person = pagePerson();
  #isStopped = false;
  #notifiedMs = 0;

  constructor(options: RunOptions<Item>) {
    this.#options = options;
  }

  get label(): string {
    return this.#options.label;
  }

  get total(): number {
    const { items, sizes } = this.#options;
    return items.reduce((sum, item) => sum + (sizes?.of(item) ?? 1), 0);
  }

  /** Number of things that have had their turn. */
  get turns(): number {
    return this.#sum((item) => this.#options.sizes?.of(item) ?? 1);
  }

  /** Number of things that were done. */
  get done(): number {
    return this.#sum((item, { kind }) =>
      kind === 'done' ? (this.#options.sizes?.done(item) ?? 1) : 0,
    );
  }

  #sum(count: (item: Item, outcome: Outcome) => number): number {
    return this.#options.items.reduce((sum, item) => {
      const outcome = this.outcomes.get(this.#options.idOf(item));
      return outcome === undefined ? sum : sum + count(item, outcome);
    }, 0);
  }

  drawResults(onClose: () => void): ReactNode {
    return this.#options.drawResults(onClose);
  }

  /** Begins no further one; the one that is being sent is finished. */
  stop(): void {
    this.#isStopped = true;
    notify();
  }

  /** Takes those that were not answered yet. */
  async run(): Promise<void> {
    const { items, idOf, send, topics, queryClient } = this.#options;
    this.isRunning = true;
    this.#isStopped = false;
    notify();
    for (const item of items) {
      if (this.#isStopped || pagePerson() !== this.#person) break;
      const id = idOf(item);
      const known = this.outcomes.get(id);
      if (known !== undefined && known.kind !== 'unknown') continue;
      const idempotencyKey = this.#keys.get(id) ?? newKey();
      this.#keys.set(id, idempotencyKey);
      // oxlint-disable-next-line no-await-in-loop -- one at a time: the order of the list, and no storm
      const outcome = await outcomeOf(send(item, { idempotencyKey }));
      // Whoever closed the question is not asked it again for each of the rest.
      if (outcome === null) break;
      this.outcomes.set(id, outcome);
      this.#notifySometimes();
    }
    this.isRunning = false;
    // Nothing of the person before is shown to the next one.
    if (pagePerson() !== this.#person) runs.delete(this as never);
    else for (const topic of topics) markStale(queryClient, topic);
    notify();
  }

  #notifySometimes(): void {
    const nowMs = performance.now();
    if (nowMs - this.#notifiedMs < NOTIFY_EVERY_MS) return;
    this.#notifiedMs = nowMs;
    notify();
  }
}

/** Outcome of a request; null if the user was asked to confirm that it is them, and did not. */
async function outcomeOf(request: Promise<unknown>): Promise<Outcome | null> {
  try {
    await request;
    return { kind: 'done' };
  } catch (error) {
    if (isUnconfirmed(error)) return null;
    const message = errorMessage(error, 'No answer came.');
    // The session ended, and signing in again took too long: it was not done, and can be tried again.
    const isSignedOut = error instanceof ApiError && error.problem.code === 'unauthenticated';
    return { kind: isDefinitive(error) && !isSignedOut ? 'refused' : 'unknown', message };
  }
}

const runs = new Set<BulkRun>();
const listeners = new Set<() => void>();
let version = 0;

function notify(): void {
  version += 1;
  for (const listener of listeners) listener();
}

/** Begins a run. Its dialog calls {@link leaveRun} when it closes. */
export function startRun<Item>(options: RunOptions<Item>): BulkRun<Item> {
  const run = new BulkRun(options);
  runs.add(run as never);
  void run.run();
  return run;
}

/** Its dialog closes: what is over is forgotten, what is not goes on in the background. */
export function leaveRun(run: BulkRun): void {
  if (run.isRunning) run.isShown = false;
  else runs.delete(run);
  notify();
}

/** Opens the dialog of a run that is in the background. */
export function showRun(run: BulkRun): void {
  run.isShown = true;
  notify();
}

/** The runs that no dialog shows. */
export function runsInBackground(): BulkRun[] {
  return [...runs].filter(({ isShown }) => !isShown);
}

/** True if closing the page would end a run before its end. */
export function isBulkRunning(): boolean {
  return [...runs].some(({ isRunning }) => isRunning);
}

export function subscribeToRuns(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Grows with every change of a run. */
export function runsVersion(): number {
  return version;
}
