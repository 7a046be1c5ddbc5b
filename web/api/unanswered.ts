/**
 * A request whose outcome is unknown, kept for a reload: sent again unchanged, with the same key, it is the
 * same request. It lasts as long as the tab, and no longer than this.
 */
const LIFE_MS = 24 * 60 * 60 * 1_000;

/** What was sent, as JSON, under which Idempotency-Key. */
export interface Unanswered {
  input: string | undefined;
  key: string;
}

const placeOf = (name: string) => `purser.unanswered.${name}`;

/** The one of that name that is still unanswered; null where there is none. */
export function loadUnanswered(name: string, now: number = Date.now()): Unanswered | null {
  try {
    const stored = sessionStorage.getItem(placeOf(name));
    if (stored === null) return null;
    const { input, key, at } = JSON.parse(stored) as Record<string, unknown>;
    const isFresh = typeof at === 'number' && now - at < LIFE_MS;
    return isFresh && typeof input === 'string' && typeof key === 'string' ? { input, key } : null;
  } catch {
    return null;
  }
}

/** Keeps it, or forgets it once the answer is there. Where storage is full or forbidden, only the screen keeps it. */
export function keepUnanswered(name: string, request: Unanswered | null): void {
  try {
    if (request === null) sessionStorage.removeItem(placeOf(name));
    else sessionStorage.setItem(placeOf(name), JSON.stringify({ ...request, at: Date.now() }));
  } catch {
    // It must not keep the request from being sent, nor make a success look like a failure.
  }
}
