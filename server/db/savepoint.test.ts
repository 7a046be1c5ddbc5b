import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { withTx, writtenAtCommit } from './tx.ts';
import { withSavepoint } from './savepoint.ts';
import type { Tx } from './tx.ts';

let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());
beforeEach(() => sql`DELETE FROM outbox`.execute(test.db));

const insert = (tx: Tx, topic: string, kind = 'event') =>
  sql`INSERT INTO outbox (kind, topic) VALUES (${kind}, ${topic})`.execute(tx);
const leave = writtenAtCommit<string>('outbox', (rows) =>
  CompiledQuery.raw("INSERT INTO outbox (kind, topic) SELECT 'event', unnest($1::text[])", [rows]),
);
async function topics(): Promise<string[]> {
  const rows = await test.db.selectFrom('outbox').select('topic').orderBy('id').execute();
  return rows.map(({ topic }) => topic);
}

it('undoes the rows that a failed part wrote and queued for the COMMIT, and continues', async () => {
  await withTx(test.db, async (tx) => {
    await insert(tx, 'before');
    leave(tx, 'left before');
    const part = withSavepoint(tx, async () => {
      await insert(tx, 'inside');
      leave(tx, 'left inside');
      await insert(tx, 'inside', 'no such kind');
    });
    await expect(part).rejects.toMatchObject({ code: '23514' });
    await insert(tx, 'after');
    leave(tx, 'left after');
    expect(leave.waiting(tx)).toEqual(['left before', 'left after']);
  });
  expect(await topics()).toEqual(['before', 'after', 'left before', 'left after']);
});

it('keeps the rows of a part that succeeded, also if parts within it failed', async () => {
  const answer = await withTx(test.db, (tx) =>
    withSavepoint(tx, async () => {
      await insert(tx, 'outer');
      for (const topic of ['first', 'second']) {
        await withSavepoint(tx, async () => {
          await insert(tx, topic);
          if (topic === 'first') throw new Error('changed my mind');
        }).catch(() => undefined);
      }
      return 42;
    }),
  );
  expect(answer).toBe(42);
  expect(await topics()).toEqual(['outer', 'second']);
});
