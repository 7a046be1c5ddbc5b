import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The cells of each row of the first table under a heading of docs/ledger.md, without the heading row.
 *
 * @param heading with its marks: `## Tampering`
 */
export function readDocsTable(heading: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, '../docs/ledger.md'), 'utf8');
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

/** The names of checks in a cell: `account-balance`. */
export function checksIn(cell = ''): string[] {
  return [...cell.matchAll(/`([a-z-]+)`/g)].map(([, check = '']) => check);
}
