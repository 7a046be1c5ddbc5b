import { describe, expect, it } from 'vitest';
import { statementId } from '#contract/account-documents.ts';
import type { Db } from '#server/db/tx.ts';
import { accountDocumentsFixture } from '#test/account-documents-fixture.ts';
import type { Payee } from '#test/factories/money.ts';
import { listAccountDocuments } from './list.ts';

let db: Db;
let maya: Payee;
const { at, scopeOf } = accountDocumentsFixture((company) => {
  ({ db, maya } = company);
});

describe('the documents of a year', () => {
  it('are listed per account, and the current month says when it will be final', async () => {
    at('2025-12-02T15:00:00.000Z');
    const { year, years, statements } = await listAccountDocuments(
      db,
      await scopeOf(maya.by),
      null,
    );
    expect({ year, years }).toEqual({ year: 2025, years: [2025] });
    expect(
      statements.map(({ id, entries, closing, finalOn }) => [id, entries, closing.minor, finalOn]),
    ).toEqual([
      [statementId('salary', '2025-12'), 0, '500000', '2026-01-01'],
      [statementId('salary', '2025-11'), 0, '500000', null],
      [statementId('salary', '2025-10'), 1, '500000', null],
    ]);
  });

  it('are empty for a year before the person joined, and for a future year', async () => {
    for (const year of [1970, 2024, 2026, 9999]) {
      const found = await listAccountDocuments(db, await scopeOf(maya.by), year);
      expect(found).toMatchObject({ statements: [], payslips: { items: [], total: 0 } });
    }
  });
});
