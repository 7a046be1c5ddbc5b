import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocsTable } from './docs-table.ts';

const FOLDER = join(import.meta.dirname, '../docs/decisions');
const files = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .toSorted();

describe('docs/decisions', () => {
  test('is numbered from 001 without a gap', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(files.map((name) => name.slice(0, 4))).toEqual(
      files.map((_, place) => `${String(place + 1).padStart(3, '0')}-`),
    );
  });

  test('has an index with the number and title of each, in order', () => {
    const rows = readDocsTable('## The records', 'decisions/README.md');
    expect(rows.map(([number, link]) => `${number} ${link}`)).toEqual(
      files.map((name) => {
        const [heading = ''] = readFileSync(join(FOLDER, name), 'utf8').split('\n');
        const [, number = '', title = ''] = /^# (\d{3}) (.+)$/.exec(heading) ?? [];
        return `${number} [${title}](${name})`;
      }),
    );
    expect(rows.every(([, , line = '']) => line !== '')).toBe(true);
  });
});
