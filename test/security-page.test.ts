import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ATTEMPT_LIMITS } from '#server/modules/identity/attempts.ts';
import { readDocsTable, wordsIn } from '#test/docs-table.ts';
import { OPERATIONS } from '#test/operations.ts';

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

  test('names all operations that a session alone cannot do, and no others', () => {
    const rows = readDocsTable('## What a session alone cannot do', PAGE);
    const named = rows.map(([name, confirms]) => `${wordsIn(name)[0]} ${wordsIn(confirms)[0]}`);
    const declared = OPERATIONS.filter(({ spec }) => spec.confirms !== 'none');
    const expected = declared.map(({ name, spec }) => `${name} ${spec.confirms}`);
    expect(named.toSorted()).toEqual(expected.toSorted());
  });

  test('names limits as they are', () => {
    const rows = readDocsTable('## Limits', PAGE);
    expect(rows.length).toBeGreaterThan(8);
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
