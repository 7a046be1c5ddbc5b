import { sql } from 'kysely';

const MARK = '/* prepared */';

/**
 * `.modifyFront(prepared)` makes a statement outside a transaction a prepared one, as all inside
 * one are: its plan is kept. For queries of every request. Lists do not use it: they are planned
 * for their actual filter values.
 */
export const prepared = sql.raw(MARK);

/** Plans are kept per connection, so the number of statements that have one is bounded. */
const MAX_NAMES = 500;
const MAX_TEXT_LENGTH = 8_000;

const names = new Map<string, string>();
let made = 0;

/**
 * Name under which a connection keeps the plan of a statement, the same for the same text;
 * undefined for a statement too long or too rare to be worth it. Texts that depend on a number of
 * rows or filters have many forms; the first hundreds that are used have a name.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES || text.length > MAX_TEXT_LENGTH) return undefined;
  made += 1;
  const name = `purser_${made}`;
  names.set(text, name);
  return name;
}

/** Gives every statement another name, so that no old plan is used. */
export function forgetStatementNames(): void {
  names.clear();
}

export function isPrepared(text: string): boolean {
  return text.startsWith(`select ${MARK}`);
}
