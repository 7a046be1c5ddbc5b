import { EVENT_TOPICS } from '#contract/live-topics.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import { LIMITS } from '#server/lib/limits.ts';

/** NOTIFY channel by which the relay notifies every process of changes. */
export const LIVE_CHANNEL = 'purser_live';

/** A change of `topic` for one person's screens; null: for every admin's. */
export interface LiveEvent {
  topic: EventTopic;
  userId: string | null;
}

/**
 * Packs events into as few NOTIFY payloads as PostgreSQL's limit allows, each pair of topic and
 * person once: `[["wallets","8f…"],["payroll",null]]`.
 */
export function packEvents(events: readonly LiveEvent[]): string[] {
  const distinct = new Set(events.map(({ topic, userId }) => JSON.stringify([topic, userId])));
  const payloads: string[] = [];
  let waiting: string[] = [];
  let bytes = 2;
  for (const event of distinct) {
    if (waiting.length > 0 && bytes + event.length + 1 > LIMITS.relay.maxNotifyBytes) {
      payloads.push(`[${waiting.join(',')}]`);
      waiting = [];
      bytes = 2;
    }
    waiting.push(event);
    bytes += event.length + 1;
  }
  if (waiting.length > 0) payloads.push(`[${waiting.join(',')}]`);
  return payloads;
}

/** Name of the pair with the position of the database in its log, which the relay sends before the events. */
export const POSITION_PAIR = 'position';

/** Events, and a position of the database in its log that is after the changes they report; 0: it is not known. */
interface Unpacked {
  events: LiveEvent[];
  position: number;
}

/** Parses a payload; other text is dropped, because anybody on the database can NOTIFY. */
export function unpackEvents(payload: string): Unpacked {
  let pairs: unknown;
  try {
    pairs = JSON.parse(payload);
  } catch {
    return { events: [], position: 0 };
  }
  if (!Array.isArray(pairs)) return { events: [], position: 0 };
  let position = 0;
  const events = pairs.flatMap((pair: unknown) => {
    if (!Array.isArray(pair)) return [];
    const [topic, userId] = pair as unknown[];
    if (topic === POSITION_PAIR && Number.isSafeInteger(userId)) position = Number(userId);
    const known = EVENT_TOPICS.find((name) => name === topic);
    if (known === undefined || (userId !== null && typeof userId !== 'string')) return [];
    return [{ topic: known, userId }];
  });
  return { events, position };
}
