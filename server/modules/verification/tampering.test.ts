import { afterAll, beforeAll, expect, test } from 'vitest';
import { wordsIn, readDocsTable } from '#test/docs-table.ts';
import { OWNER_ACTS } from '#test/owner-acts.ts';
import { openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
  await company.liftGuards();
});
afterAll(() => company.close());

test.each(OWNER_ACTS)('an owner is found who $what', async ({ does, found }) => {
  expect(await company.finds((tx) => does(tx, company))).toEqual(found);
});

test('docs/ledger.md has every case, with the checks that notice it', () => {
  const rows = readDocsTable('### By an owner of the database').map(([what, noticed]) => ({
    what,
    found: wordsIn(noticed),
  }));
  expect(rows).toEqual(OWNER_ACTS.map(({ what, found }) => ({ what, found: [...found] })));
});
