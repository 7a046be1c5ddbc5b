import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..');

/**
 * The files that take longest, as measured on a machine that was busy with other work (25 s and more there), the longest first. Where
 * vitest has measured nothing yet, as after a fresh clone, it begins with the files of most bytes, and
 * these few lines would come last: one worker would wait for the other for a minute.
 */
const LONGEST = [
  'server/system-tests/contract-access.test.ts',
  'server/modules/activity/offered-acts.test.ts',
  'server/startup/first-start.test.ts',
  'scripts/demo/demo.test.ts',
  'server/modules/ledger/tampering.test.ts',
  'server/system-tests/contract-input.test.ts',
  'server/modules/ledger/verify/newest-part.test.ts',
  'server/system-tests/contract-text.test.ts',
  'server/modules/ledger/verify/verify-ledger.test.ts',
  'server/modules/ledger/model.test.ts',
  'server/modules/withdrawals/lifecycle.test.ts',
  'server/modules/account-documents/pdf/draw-pdf.test.ts',
  'server/modules/history/long-history.test.ts',
  'server/modules/employees/imports/check-file.test.ts',
  'server/modules/history/history.test.ts',
  'server/system-tests/contract-ownership.test.ts',
  'server/modules/history/log/log.test.ts',
  'server/modules/books/books.test.ts',
  'server/programs/verify.test.ts',
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
