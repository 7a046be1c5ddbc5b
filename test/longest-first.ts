import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..');

/**
 * The files that take 20 s and more, mostly because they start processes, the longest first. Where
 * vitest has measured nothing yet, as after a fresh clone, it begins with the files of most bytes, and
 * these few lines would come last: one worker would wait for the other for a minute.
 */
const LONGEST = [
  'server/modules/payroll/post-payroll-kill.test.ts',
  'server/system-tests/database-restart.test.ts',
  'server/programs/verify.test.ts',
  'server/system-tests/embedded-process.test.ts',
  'bench/chaos/chaos.test.ts',
  'server/modules/verification/columns.test.ts',
  'server/programs/main.test.ts',
  'server/system-tests/jobs-process.test.ts',
  'server/system-tests/server-kill.test.ts',
  'server/modules/history/history.test.ts',
  'server/modules/books/books.test.ts',
  'server/db/embedded/embedded.test.ts',
].map((path) => join(ROOT, path));

/** Vitest's own order, but for the files that are known to take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = LONGEST.find((path) => !existsSync(path));
    if (missing !== undefined) throw new Error(`${missing} is gone: correct longest-first.ts`);
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own, which answers another array
    const sorted = await super.sort(files);
    const longest = LONGEST.flatMap((path) => sorted.filter(({ moduleId }) => moduleId === path));
    return [...longest, ...sorted.filter(({ moduleId }) => !LONGEST.includes(moduleId))];
  }
}
