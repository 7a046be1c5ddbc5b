import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The cells of each row of the first table under a heading of a page in docs/, without its head.
 *
 * @param heading with its marks: `## Tampering`
 */
export function readDocsTable(heading: string, page = 'ledger.md'): string[][] {
  const text = readFileSync(join(import.meta.dirname, '../docs', page), 'utf8');
  const section = text.split(`\n${heading}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .slice(1)
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

/** Names written as code in a cell: `account-balance`. */
export function wordsIn(cell = ''): string[] {
  return [...cell.matchAll(/`([\w-]+)`/g)].map(([, word = '']) => word);
}
