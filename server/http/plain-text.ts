/** One key on the way to a value, and the keys before it. */
interface Place {
  key: string;
  parent: Place | null;
}

/** More are not reported: a request may hold thousands, and one is enough to refuse it. */
const MAX_REPORTED = 20;
/** Paths are cut after as many keys; the contract's own fields lie less deep. */
const MAX_PATH_KEYS = 8;

/**
 * The dotted paths of all texts in a request's part, keys as well as values, that are not plain
 * text: with a NUL, which PostgreSQL's text refuses, or with half of a surrogate pair, which its
 * JSON refuses and its text turns into another character. No keyboard makes either.
 *
 * Looks at everything that was sent, also at fields the operation does not know. Without recursion:
 * a hundred thousand brackets must not end in an overflow of the stack.
 */
export function findIllFormedText(part: unknown): string[] {
  const found: string[] = [];
  const waiting: { value: unknown; place: Place | null }[] = [{ value: part, place: null }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, place } = next;
    if (typeof value === 'string' && !isPlainText(value)) found.push(pathOf(place));
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value).toReversed()) {
        const innerPlace = { key, parent: place };
        waiting.push({ value: inner, place: innerPlace });
        if (!isPlainText(key)) found.push(pathOf(innerPlace));
      }
    }
    if (found.length >= MAX_REPORTED) return found.slice(0, MAX_REPORTED);
  }
  return found;
}

function isPlainText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

function pathOf(place: Place | null): string {
  const keys: string[] = [];
  for (let each = place; each !== null; each = each.parent) keys.push(each.key);
  return keys.toReversed().slice(0, MAX_PATH_KEYS).join('.');
}
