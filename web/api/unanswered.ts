import { keptInTab } from '#web/lib/storage.ts';

/**
 * A request whose outcome is unknown, kept for a reload: sent again unchanged, with the same key, it is the
 * same request. It lasts as long as the tab, and no longer than this.
 */
const LIFE_MS = 24 * 60 * 60 * 1_000;

/** The sent body, as JSON, and its Idempotency-Key. */
export interface Unanswered {
  input: string | undefined;
  key: string;
}

const placeOf = (name: string) => `purser.unanswered.${name}`;

/** The one of that name that is still unanswered; null where there is none. */
export function loadUnanswered(name: string, now: number = Date.now()): Unanswered | null {
  const stored = keptInTab.get(placeOf(name));
  if (stored === null) return null;
  try {
    const { input, key, at } = JSON.parse(stored) as Record<string, unknown>;
    const isFresh = typeof at === 'number' && now - at < LIFE_MS;
    return isFresh && typeof input === 'string' && typeof key === 'string' ? { input, key } : null;
  } catch {
    return null;
  }
}

/** Keeps it, or forgets it once the answer is there. */
export function keepUnanswered(name: string, request: Unanswered | null): void {
  const text = request === null ? null : JSON.stringify({ ...request, at: Date.now() });
  keptInTab.set(placeOf(name), text);
}
