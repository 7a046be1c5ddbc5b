import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { openLedgerFixture, openWallet } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { ensureSystemAccount, post } from '../index.ts';
import { SEALED_KINDS } from './sealed-kinds.ts';

let fixture: LedgerFixture;
beforeAll(async () => {
  fixture = await openLedgerFixture();
  const wallet = await openWallet(fixture.db, 500n);
  await withTx(fixture.db, async (tx) => {
    const funding = await ensureSystemAccount(tx, 'payroll_funding', 'USD');
    await post(tx, [{ ...transfer(funding, wallet, 1n), reference: String.raw`A"\/'{}[],-1` }]);
  });
  const details = { text: 'a "b" \\ / \n\t\u0001 ü 😀 ', n: [1.1, -0, 1e30, null, true, {}, []] };
  await sql`
    INSERT INTO audit_event (actor_role, action, subject_type, details)
    VALUES ('system', 'done', 'test', ${JSON.stringify(details)}::jsonb)`.execute(fixture.db);
});
afterAll(() => fixture.close());

// Blocks that were sealed earlier have leaves that were made of the text of jsonb.
test.each(SEALED_KINDS)('the leaf of a row of $rows has the text of jsonb', async (kind) => {
  const leaves = sql<{ leaf: Buffer; former: Buffer | null }>`
    SELECT ${kind.leaf} AS leaf, ${kind.formerLeaf ?? sql`NULL`} AS former
      FROM (SELECT *, '\\x5a5a'::bytea AS salt FROM ${sql.table(kind.rows)}) AS one ORDER BY id`;
  const compiled = leaves.compile(fixture.db);
  const asJsonb = compiled.sql.replaceAll(/json_(build_array|agg)/g, 'jsonb_$1');
  expect(asJsonb).not.toBe(compiled.sql);
  const { rows } = await fixture.db.executeQuery(compiled);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual(
    (await fixture.db.executeQuery(CompiledQuery.raw(asJsonb, [...compiled.parameters]))).rows,
  );
});
