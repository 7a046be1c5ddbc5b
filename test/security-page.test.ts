import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SECURITY_TABLES, STORIES, STORY_ROWS } from '#scripts/generate-operations.ts';
import { OUTCOMES } from '#server/system-tests/stories/outcomes.ts';
import { ATTEMPT_LIMITS } from '#server/modules/identity/attempts.ts';
import { readDocsTable, wordsIn } from '#test/docs-table.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = 'security.md';
const text = readFileSync(join(ROOT, 'docs', PAGE), 'utf8');

describe('docs/security.md', () => {
  test('names no file that does not exist', () => {
    const paths = [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.tsx?)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('names a test for each group of requirements that applies', () => {
    const rows = readDocsTable('## OWASP ASVS 5.0, level 2', PAGE);
    expect(rows.length).toBeGreaterThan(40);
    for (const [group, met, how, tests = ''] of rows) {
      expect(['yes', 'in part', 'none'], group).toContain(met);
      expect(how, group).not.toBe('');
      if (met === 'none') expect(tests, group).toBe('–');
      else expect(tests, group).toMatch(/^`[^`]+\.test\.tsx?`(?:, `[^`]+\.test\.tsx?`)*$/);
    }
  });

  test.each(Object.entries(SECURITY_TABLES))(
    'has the operations as they are, or else npm run api:client: %s',
    (heading, rows) => {
      const stated = readDocsTable(heading, PAGE).map((cells) => `| ${cells.join(' | ')} |`);
      expect(rows.flatMap(wordsIn).length).toBeGreaterThan(30);
      expect(stated).toEqual(rows);
    },
  );

  test('has the outcome of each story, or else npm run api:client', () => {
    const stated = readDocsTable(STORIES, PAGE).map((cells) => `| ${cells.join(' | ')} |`);
    const files = readdirSync(join(ROOT, 'server/system-tests/stories'));
    const tests = files.filter((name) => name.endsWith('.test.ts'));
    const named = Object.values(OUTCOMES).map(({ file }) => `${file}.test.ts`);
    expect([...new Set(named)].toSorted()).toEqual(tests.toSorted());
    expect(stated).toEqual(STORY_ROWS);
  });

  test('names all limits as they are', () => {
    const rows = readDocsTable('## Limits', PAGE);
    expect(new Set(rows.map(([name]) => wordsIn(name)[0]))).toEqual(
      new Set(Object.keys(ATTEMPT_LIMITS)),
    );
    const limits = new Map<string, { attempts: number; perS: number }>(
      Object.entries(ATTEMPT_LIMITS),
    );
    for (const [name, attempts, perS] of rows) {
      const limit = { attempts: Number(attempts), perS: Number(perS) };
      expect(limits.get(wordsIn(name)[0] ?? ''), name).toEqual(limit);
    }
  });

  test('is linked from where people look first', () => {
    for (const page of ['README.md', 'docs/ARCHITECTURE.md', 'docs/operating.md']) {
      expect(readFileSync(join(ROOT, page), 'utf8'), page).toContain('security.md');
    }
  });
});
