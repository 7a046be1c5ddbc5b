import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { EventTopic } from '#contract/paths.ts';
import type { CallOptions } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { isDefinitive } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';

/** What became of one of them. `unknown`: no answer came, so it may have been done. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'refused'; message: string }
  | { kind: 'unknown'; message: string };

interface EachOptions<Item> {
  idOf: (item: Item) => string;
  send: (item: Item, options: CallOptions) => Promise<unknown>;
  /** What is asked for again once all have had their turn. */
  topic: EventTopic;
}

interface EachRun<Item> {
  isRunning: boolean;
  /** What became of those that had their turn, by id. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Takes those that were not answered yet, one after the other. */
  run: (items: readonly Item[]) => Promise<void>;
}

/**
 * Does the same to several things, one after the other, each as a request of its own: one that is
 * refused stops none of the others. Each keeps its Idempotency-Key, so running it again where an answer
 * did not come cannot do it twice.
 */
export function useEach<Item>({ idOf, send, topic }: EachOptions<Item>): EachRun<Item> {
  const queryClient = useQueryClient();
  const keys = useRef(new Map<string, string>());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [isRunning, setIsRunning] = useState(false);

  async function run(items: readonly Item[]): Promise<void> {
    setIsRunning(true);
    for (const item of items) {
      const id = idOf(item);
      const known = outcomes.get(id);
      if (known !== undefined && known.kind !== 'unknown') continue;
      const idempotencyKey = keys.current.get(id) ?? crypto.randomUUID();
      keys.current.set(id, idempotencyKey);
      // oxlint-disable-next-line no-await-in-loop -- one at a time: the order of the list, and no storm
      const outcome = await outcomeOf(send(item, { idempotencyKey }));
      setOutcomes((current) => new Map([...current, [id, outcome]]));
    }
    setIsRunning(false);
    markStale(queryClient, topic);
  }

  return { isRunning, outcomes, run };
}

async function outcomeOf(request: Promise<unknown>): Promise<Outcome> {
  try {
    await request;
    return { kind: 'done' };
  } catch (error) {
    const message = errorMessage(error, 'No answer came.');
    return { kind: isDefinitive(error) ? 'refused' : 'unknown', message };
  }
}
