import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDb } from '#test/open-db.ts';
import { openTestDb } from '#test/open-db.ts';
import { fixedStatement } from './fixed-statement.ts';
import { withTx } from './tx.ts';
import type { Reader } from './tx.ts';

let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

const keyOf = { principalId: '00000000-0000-4000-8000-000000000001', route: 'test' };

interface Key {
  key: string;
  hash: Buffer;
}

let built = 0;
const insertKey = fixedStatement((reader: Reader, { key, hash }: Key) => {
  built += 1;
  return reader
    .insertInto('idempotencyKey')
    .values({ ...keyOf, key, requestHash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['key', 'requestHash']);
});

it("is built once and run with each call's values, in a transaction and outside", async () => {
  const [first, second] = await withTx(test.db, (tx) =>
    Promise.all([
      insertKey(tx, { key: 'key-00001', hash: Buffer.from('a') }),
      insertKey(tx, { key: 'key-00002', hash: Buffer.from('b') }),
    ]),
  );
  expect(first.rows).toEqual([{ key: 'key-00001', requestHash: Buffer.from('a') }]);
  expect(second.rows).toEqual([{ key: 'key-00002', requestHash: Buffer.from('b') }]);

  const again = await insertKey(test.db, { key: 'key-00002', hash: Buffer.from('c') });
  expect(again).toMatchObject({ rows: [], numAffectedRows: 0n });
  expect(built).toBe(1);
});

it('rolls back with its transaction', async () => {
  const failed = withTx(test.db, async (tx) => {
    await insertKey(tx, { key: 'key-00003', hash: Buffer.from('a') });
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  const { rows } = await insertKey(test.db, { key: 'key-00003', hash: Buffer.from('a') });
  expect(rows).toHaveLength(1);
});

it('refuses a value that changes the statement', () => {
  const listKeys = fixedStatement((reader: Reader, { isSorted }: { isSorted: boolean }) => {
    const keys = reader.selectFrom('idempotencyKey').select('key');
    return isSorted ? keys.orderBy('key') : keys;
  });
  expect(() => listKeys(test.db, { isSorted: false })).toThrow(
    'isSorted is no value of the statement',
  );
});

it('refuses a value that the statement does not use', () => {
  const findKey = fixedStatement((reader: Reader, { key }: { key: string }) =>
    reader.selectFrom('idempotencyKey').select('key').where('key', '=', key),
  );
  const wanted = { key: 'key-00001', route: 'test' };
  expect(() => findKey(test.db, wanted)).toThrow('route is not in the statement');
});
