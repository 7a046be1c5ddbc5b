import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordsIn, readDocsTable } from '#test/docs-table.ts';
import { asServer, openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';
import { BY_OWNER, BY_SERVER } from '#test/tampering-company-cases.ts';
import type { TamperingCase } from '#test/tampering-company-cases.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

describe('facts that decide about money and are no posting', () => {
  test.each(BY_SERVER)('the server’s role is found that $what', async ({ does, found }) => {
    expect(await company.finds((tx) => asServer(tx, () => does(tx, company)))).toEqual(found);
  });

  test.each(BY_OWNER)('the server’s role is refused that $what', async ({ does }) => {
    expect(await company.refusal((tx) => does(tx, company))).toBeDefined();
  });

  test('is in docs/ledger.md, with the checks that notice it', () => {
    const rows = readDocsTable('### What decides about money').map(([what, who, noticed]) => ({
      what,
      who,
      found: wordsIn(noticed),
    }));
    const inWords =
      (who: string) =>
      ({ what, found }: TamperingCase) => ({ what, who, found: [...found] });
    expect(rows).toEqual([...BY_SERVER.map(inWords('app')), ...BY_OWNER.map(inWords('owner'))]);
  });
});

describe('with everything taken away that refuses it', () => {
  beforeAll(() => company.liftGuards());

  test.each(BY_OWNER)('an owner is found that $what', async ({ does, found }) => {
    expect(await company.finds((tx) => does(tx, company))).toEqual(found);
  });
});
