/**
 * The ILIKE pattern that finds `text` anywhere; its own wildcards are taken literally. Columns
 * searched this way have a trigram index.
 */
export function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
