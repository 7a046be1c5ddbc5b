/** One key on the path to a value, and the keys before it. */
interface Place {
  key: string;
  parent: Place | null;
}

/** Maximum number of reports: a request may have thousands, and one is enough to refuse it. */
const MAX_REPORTED = 20;
/** Maximum keys in a reported path; the contract's own fields are less deep. */
const MAX_PATH_KEYS = 8;

/**
 * Dotted paths of all texts in a part of a request, keys as well as values, that are not plain
 * text: with a NUL, which PostgreSQL's text refuses, or with half of a surrogate pair, which its
 * JSON refuses and its text turns into another character. No keyboard produces either.
 *
 * Checks everything that was sent, also fields unknown to the operation. Without recursion, so that
 * a hundred thousand brackets cannot overflow the stack.
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
