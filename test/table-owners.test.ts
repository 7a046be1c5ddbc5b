import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEPT_FOR_GOOD, RETENTION } from '#server/jobs/retention.ts';
import { findForeignWrites, TABLE_OWNERS } from './table-owners.ts';

const ROOT = join(import.meta.dirname, '..');
const sources = globSync('server/**/*.ts', { cwd: ROOT }).filter(
  (path) => !path.endsWith('.test.ts'),
);

describe('the server', () => {
  test('has one owner for every table', () => {
    // That these are all tables is what another test makes sure of.
    const tables = [...RETENTION.map(({ table }) => table), ...KEPT_FOR_GOOD];
    const owned = Object.values(TABLE_OWNERS).flat();
    expect(owned.toSorted()).toEqual([...tables, 'graphile_worker'].toSorted());
  });

  test('writes a table only where it belongs', () => {
    expect(sources.length).toBeGreaterThan(100);
    const problems = sources.flatMap((path) =>
      findForeignWrites({ path, text: readFileSync(join(ROOT, path), 'utf8') }),
    );
    expect(problems).toEqual([]);
  });
});

describe('the checker', () => {
  const check = (text: string) => findForeignWrites({ path: 'server/modules/payroll/a.ts', text });

  test.each([
    ['an insert by the query builder', `tx\n  .insertInto('notification')`],
    ['an update by the query builder', `tx.updateTable('appUser').set({})`],
    ['a delete by the query builder', `tx.deleteFrom('authSession as one')`],
    ['an insert', 'sql`WITH one AS (INSERT INTO outbox (kind) SELECT 1)`'],
    ['an update', 'sql`UPDATE wallet AS one\n   SET closed_at = now()`'],
    ['an update in small letters', 'sql`update graphile_worker._private_jobs set run_at = now()`'],
    ['a delete', 'sql`DELETE FROM idempotency_key`'],
    ['a posting past the door', 'sql`SELECT ledger_post($1)`'],
  ])('catches %s', (_what, text) => {
    expect(check(text)).toHaveLength(1);
  });

  test.each([
    ['its own', `tx.updateTable('payrollBatch'); sql\`UPDATE payroll_line SET status = 'x'\``],
    ['reading', `tx.selectFrom('wallet').forUpdate(); sql\`SELECT FROM wallet FOR UPDATE\``],
    ['words', '// An update of the wallet, to delete from a list'],
  ])('allows %s', (_what, text) => {
    expect(check(text)).toEqual([]);
  });
});
