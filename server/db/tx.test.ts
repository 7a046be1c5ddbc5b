import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { publish } from '#server/events/outbox.ts';
import { newId } from '#server/lib/ids.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { Batch } from './batch/batch.ts';
import {
  awaitInOrder,
  commitSoon,
  keepPlans,
  planEachTime,
  withTx,
  writtenAtCommit,
} from './tx.ts';
import { breakConnection } from './connection-watch.ts';
import { forgetStatementNames, prepared } from './statement-names.ts';
import type { Db, Tx } from './tx.ts';

let test: TestDb;
let db: Db;
let owner: pg.Client;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  owner = new pg.Client({ connectionString: test.ownerUrl });
  await owner.connect();
});
beforeEach(async () => {
  await owner.query('DROP TABLE IF EXISTS sample_row');
  await owner.query('CREATE TABLE sample_row (id integer PRIMARY KEY, note text)');
  await owner.query('GRANT ALL ON sample_row TO purser_app');
});
afterAll(async () => {
  await owner.end();
  await test.close();
});

const insert = (tx: Tx, id: number) => sql`INSERT INTO sample_row (id) VALUES (${id})`.execute(tx);
const ids = async () =>
  (await owner.query<{ id: number }>('SELECT id FROM sample_row ORDER BY id')).rows.map(
    (row) => row.id,
  );
const leaveRow = writtenAtCommit<{ id: number; note: string }>('sample_row', (rows) =>
  CompiledQuery.raw(
    `INSERT INTO sample_row
     SELECT * FROM json_to_recordset($1::json) AS one (id integer, note text)`,
    [JSON.stringify(rows)],
  ),
);
describe('a transaction', () => {
  it('runs concurrently requested statements in that order, and throws the first failure', async () => {
    const done = withTx(db, (tx) =>
      awaitInOrder([insert(tx, 1), insert(tx, 1), insert(tx, 2), sql`SELECT nonsense`.execute(tx)]),
    );
    await expect(done).rejects.toMatchObject({ code: '23505' });
    expect(await ids()).toEqual([]);
    const rows = await withTx(db, (tx) =>
      Promise.all([insert(tx, 1), insert(tx, 2), sql`SELECT id FROM sample_row`.execute(tx)]),
    );
    expect(rows[2].rows).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await ids()).toEqual([1, 2]);
  });

  it('can send a statement later whose values could not be sent the first time', async () => {
    const insertNote = (tx: Tx, id: number, note: unknown) =>
      sql`INSERT INTO sample_row (id, note) VALUES (${id}, ${note}::text)`.execute(tx);
    const unsendable = {
      toPostgres: () => {
        throw new Error('cannot be sent');
      },
    };
    for (let connection = 0; connection < 20; connection += 1) {
      await expect(withTx(db, (tx) => insertNote(tx, 1, unsendable))).rejects.toThrow('cannot be');
    }
    await withTx(db, (tx) => insertNote(tx, 1, 'a'));
    expect(await ids()).toEqual([1]);
  });

  it('sends nothing after a statement whose values cannot be sent', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const done = withTx(db, (tx) =>
      awaitInOrder([insert(tx, 1), sql`SELECT ${circular}::json`.execute(tx), insert(tx, 2)]),
    );
    await expect(done).rejects.toThrow(/circular/i);
    expect(await ids()).toEqual([]);
    await withTx(db, (tx) => insert(tx, 3));
    expect(await ids()).toEqual([3]);
  });

  it('commits nothing after a failure that was caught', async () => {
    const done = withTx(db, async (tx) => {
      await insert(tx, 1);
      await insert(tx, 1).catch(() => undefined);
    });
    await expect(done).rejects.toThrow(/nothing was committed/i);
    expect(await ids()).toEqual([]);
  });

  it('refuses a statement after its end', async () => {
    let kept: Tx | undefined;
    await withTx(db, async (tx) => {
      kept = tx;
      await insert(tx, 1);
    });
    await expect(insert(kept as Tx, 2)).rejects.toThrow(/after its transaction/);
    expect(await ids()).toEqual([1]);
  });

  it('leaves no open transaction on the connection, however it ends', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        withTx(db, async (tx) => {
          await insert(tx, index);
          if (index % 3 === 0) throw new Error('changed my mind');
        }).catch(() => undefined),
      ),
    );
    const { rows } = await owner.query(
      `SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'
          AND datname = current_database()`,
    );
    expect(rows).toEqual([]);
    expect(await ids()).toHaveLength(20);
  });
});

it('checks a foreign key by its index, even if the table was small when the plan was made', async () => {
  await owner.query('CREATE TABLE sample_child (row_id integer REFERENCES sample_row)');
  await owner.query('GRANT ALL ON sample_child TO purser_app');
  await owner.query('INSERT INTO sample_row VALUES (1)');
  await owner.query('VACUUM ANALYZE sample_row');
  try {
    const child = (tx: Tx, id: number) =>
      sql`INSERT INTO sample_child (row_id) VALUES (${id})`.execute(tx);
    const backend = async (tx: Tx) =>
      (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)).rows[0]?.pid;
    const planned = await withTx(db, async (tx) => {
      await child(tx, 1);
      return backend(tx);
    });
    await owner.query('INSERT INTO sample_row SELECT generate_series(2, 10_000)');
    const scans = await withTx(db, async (tx) => {
      expect(await backend(tx), 'the connection that keeps the plan').toBe(planned);
      await child(tx, 9_999);
      const { rows } = await sql<{ scans: number }>`
        SELECT seq_scan::integer AS scans FROM pg_stat_xact_user_tables
         WHERE relname = 'sample_row'`.execute(tx);
      return rows[0]?.scans;
    });
    expect(scans).toBe(0);
  } finally {
    await owner.query('DROP TABLE sample_child');
  }
});

it('reports a lost connection with its own error, to every statement that was sent', async () => {
  const client = new pg.Client({ connectionString: test.appUrl });
  client.on('error', () => undefined);
  await client.connect();
  const cut = new Error('the network was cut');
  const outcomes = ['begin', 'SELECT 1', 'commit'].map((text) => {
    const outcome = Promise.withResolvers<unknown>();
    return { ...outcome, text, values: [], name: undefined, types: pg.types };
  });
  const done = outcomes.map(({ resolve, ...statement }) => ({
    ...statement,
    done: (error: Error | null) => resolve(error),
  }));
  client.query(new Batch(done));
  breakConnection(client, cut);
  expect(await Promise.all(outcomes.map(({ promise }) => promise))).toEqual([cut, cut, cut]);
});

describe('the rows queued for the COMMIT', () => {
  it('are written with the change, or neither is', async () => {
    await withTx(db, async (tx) => {
      leaveRow(tx, { id: 1, note: 'left' }, { id: 2, note: 'left' });
      await insert(tx, 3);
      const { rows } = await sql`SELECT FROM sample_row`.execute(tx);
      expect(rows).toHaveLength(1);
    });
    expect(await ids()).toEqual([1, 2, 3]);

    const unwritable = withTx(db, async (tx) => {
      await insert(tx, 4);
      leaveRow(tx, { id: 5, note: 'left' }, { id: 3, note: 'is there already' });
    });
    await expect(unwritable).rejects.toMatchObject({ code: '23505' });
    const thrown = withTx(db, async (tx) => {
      leaveRow(tx, { id: 6, note: 'left' });
      await insert(tx, 7);
      throw new Error('changed my mind');
    });
    await expect(thrown).rejects.toThrow('changed my mind');
    expect(await ids()).toEqual([1, 2, 3]);
  });

  it('are written even if there was no other statement', async () => {
    await withTx(db, (tx) => leaveRow(tx, { id: 1, note: 'left' }));
    expect(await ids()).toEqual([1]);
  });

  it('are written in the order of their names, whichever was added first', async () => {
    const note = (name: string) =>
      writtenAtCommit<number>(name, (rows) =>
        CompiledQuery.raw(
          "UPDATE sample_row SET note = coalesce(note, '') || $1::text WHERE id = ANY ($2)",
          [name, rows],
        ),
      );
    const [first, second] = [note('a'), note('b')];
    await withTx(db, (tx) => insert(tx, 1));
    await withTx(db, (tx) => {
      second(tx, 1);
      first(tx, 1);
    });
    const { rows } = await owner.query('SELECT note FROM sample_row');
    expect(rows).toEqual([{ note: 'ab' }]);
  });

  it('cost no round trip of their own', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await withTx(db, async (tx) => {
      await insert(tx, 1);
      leaveRow(tx, { id: 2, note: 'left' });
      publish(tx, { topic: 'wallets', userId: null });
    });
    // BEGIN is sent with the first statement; both kinds of rows with the COMMIT.
    expect(query).toHaveBeenCalledTimes(2);
    query.mockRestore();
  });
});

it('plans each statement for its values, until plans are kept again', async () => {
  // Only the first hundreds of a process have a plan of their own, and tests before this one have many.
  forgetStatementNames();
  await withTx(db, async (tx) => {
    /** Numbers of plans that were made for the values of one statement, and of uses of the one that is kept. */
    const plansAfter = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        await sql`SELECT note AS counted_note FROM sample_row WHERE id = ${time}`.execute(tx);
      }
      const { rows } = await sql<{ made: number; kept: number }>`
        SELECT custom_plans::integer AS made, generic_plans::integer AS kept
          FROM pg_prepared_statements WHERE statement LIKE ${'%counted_note%'}`.execute(tx);
      return rows;
    };
    await planEachTime(tx);
    expect(await plansAfter(10)).toEqual([{ made: 10, kept: 0 }]);
    await keepPlans(tx);
    expect(await plansAfter(3)).toEqual([{ made: 10, kept: 3 }]);
  });
});

it('waits for the disk at its end, unless it is to commit soon', async () => {
  const read = async (tx: Tx) => {
    const { rows } = await sql<{ connection: number; setting: string }>`
      SELECT pg_backend_pid() AS connection, current_setting('synchronous_commit') AS setting`.execute(
      tx,
    );
    return rows;
  };
  // The tests' own PostgreSQL never waits for the disk.
  await withTx(db, (tx) => sql`SET synchronous_commit = on`.execute(tx));
  const [soon] = await withTx(db, async (tx) => {
    await commitSoon(tx);
    await insert(tx, 1);
    return read(tx);
  });
  expect(soon?.setting).toBe('off');
  expect(await withTx(db, read)).toEqual([{ connection: soon?.connection, setting: 'on' }]);
  expect(await ids()).toEqual([1]);
  await withTx(db, (tx) => sql`RESET synchronous_commit`.execute(tx));
});

it('continues when a migration changes a table under the plans that are kept', async () => {
  const inside = () => withTx(db, (tx) => sql`SELECT * FROM sample_row`.execute(tx));
  const outside = () =>
    db.selectFrom('auditOrigin').modifyFront(prepared).selectAll().limit(1).execute();
  await inside();
  await outside();
  const column = `added_${newId().replaceAll('-', '')}`;
  await owner.query(`ALTER TABLE sample_row ADD COLUMN ${column} integer`);
  await owner.query(`ALTER TABLE audit_origin ADD COLUMN ${column} integer`);
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, inside),
    ...Array.from({ length: 8 }, outside),
  ]);
  expect(answers).toHaveLength(16);
});
