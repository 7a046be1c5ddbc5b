/** What has to be escaped inside the quotes of an element. */
const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;

/**
 * A one-dimensional array as PostgreSQL's literal, `{"a",NULL,"b"}`, to be cast to its type. pg
 * makes such literals itself, but runs every element through its guesses about types: for the
 * seventy-five thousand elements of a payroll's chunk that takes 25 ms against 8, of some 350.
 */
export function arrayLiteral(values: readonly (string | bigint | null)[]): string {
  return `{${values.map(toElement).join(',')}}`;
}

function toElement(value: string | bigint | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'bigint') return value.toString();
  return `"${SPECIAL.test(value) ? value.replaceAll(EVERY_SPECIAL, String.raw`\$&`) : value}"`;
}
