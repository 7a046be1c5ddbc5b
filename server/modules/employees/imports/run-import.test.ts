import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { createEmployee } from '#test/factories/people.ts';
import { IMPORT_HEADER, openImportApp, people, problemOf } from '#test/import-app.ts';
import type { ImportApp } from '#test/import-app.ts';
import { untilBlocked } from '#test/until-blocked.ts';
import { until } from '#test/until.ts';
import { createEmployeeAccount } from '../create-employee-account.ts';
import { runImport, sweepImports } from './run-import.ts';

let app: ImportApp;
beforeAll(async () => {
  app = await openImportApp();
});
afterAll(() => app.purser.close());
beforeEach(() => app.clear());

describe('importing', () => {
  test('leaves PostgreSQL with statistics of everyone who was added', async () => {
    // Not what autovacuum did of its own accord.
    const askedFor = async () => {
      const { rows } = await sql<{ times: number }>`
        SELECT analyze_count::integer AS times FROM pg_stat_user_tables
         WHERE relid = 'app_user'::regclass`.execute(app.purser.db);
      return rows[0]?.times ?? 0;
    };
    const one = await app.checked(IMPORT_HEADER + people('known', 300));
    expect((await app.confirm(one)).status).toBe(200);
    const before = await askedFor();
    // PostgreSQL counts the changes of a transaction within some seconds of its end.
    await until(async () => (await app.run(one).then(askedFor)) > before);
  });

  test('gives a link to everyone who has no password, a hundred at a time', async () => {
    const one = await app.checked(IMPORT_HEADER + people('linked', 102));
    expect((await app.act(one, 'password-links', { after: 0, way: 'show' })).status).toBe(200);
    await app.confirm(one);
    await app.run(one);
    const read = async (after: number) =>
      (await (await app.act(one, 'password-links', { after, way: 'show' })).json()) as {
        links: { email: string; url: string }[];
        next: number | null;
      };
    const first = await read(0);
    const second = await read(first.next ?? 0);
    expect([first.links.length, second.links.length, second.next]).toEqual([100, 2, null]);
    const links = [...first.links, ...second.links];
    expect(new Set(links.map(({ url }) => url)).size).toBe(102);
    expect(links.every(({ email }) => email.startsWith('linked-'))).toBe(true);
    const reply = await app.act({ id: randomUUID() }, 'password-links', { after: 0, way: 'show' });
    expect(await problemOf(reply)).toMatchObject({ code: 'import_not_found' });
  });

  test('adds everyone who is ready, once, as one is added, and says what became of each', async () => {
    const one = await app.checked(
      `Name,Work email,Dept,Title\r\nAna Popescu,ana@once.test,Finance,Lead\r\nBad,bad,Sales,\r\n${people('once', 3).replaceAll('\r\n', ',\r\n')}`,
    );
    const before = await app.countPeople();
    expect((await app.confirm(one)).status).toBe(200);
    expect(await problemOf(await app.confirm(one))).toMatchObject({ code: 'import_wrong_status' });
    expect((await app.act(one, 'discard')).status).toBe(409);
    // Joined between the check and now.
    await createEmployee(app.purser.db, app.purser.services, { email: 'once-1@tallis.test' });
    await Promise.all([app.run(one, { chunkPeople: 2 }), app.run(one, { chunkPeople: 2 })]);
    await app.run(one);

    expect(await app.countPeople()).toBe(before + 1 + 3);
    expect(await app.latest()).toMatchObject({
      status: 'finished',
      confirmedBy: app.admin.name,
      counts: { rows: 5, ready: 4, errors: 1, imported: 3, failed: 1 },
    });
    const rows = await app.rowsOf(one);
    expect(rows.map(({ row, status }) => [row, status])).toEqual([
      [5, 'failed'],
      [3, 'error'],
      [2, 'imported'],
      [4, 'imported'],
      [6, 'imported'],
    ]);
    expect(rows[0]?.problems).toEqual([
      { column: 'email', message: 'Joined after the file was checked' },
    ]);
    const ana = await app.purser.db
      .selectFrom('appUser')
      .select(['id', 'acceptedAt', 'department', 'position', 'employeeNumber'])
      .where('email', '=', 'ana@once.test')
      .executeTakeFirstOrThrow();
    expect(ana).toMatchObject({ department: 'finance', position: 'Lead' });
    expect(rows[2]?.person).toEqual({ id: ana.id, employeeId: ana.employeeNumber });
    // Numbered in the order of the file, and no number is lost by who is left out.
    const numbers = rows.slice(2).map(({ person }) => Number(person?.employeeId?.split('-')[1]));
    const [least = 0] = numbers;
    expect(numbers).toEqual([least, least + 1, least + 2]);
    const wallets = await app.purser.db
      .selectFrom('wallet')
      .select('type')
      .where('userId', '=', ana.id)
      .execute();
    expect(wallets).toEqual([{ type: 'salary' }]);
    const created = await app.purser.db
      .selectFrom('auditEvent')
      .select(['actorId', 'action'])
      .where('personId', '=', ana.id)
      .where('actorId', 'is not', null)
      .execute();
    expect(created).toEqual([{ actorId: app.admin.id, action: 'user.created' }]);
    const notified = await app.purser.db
      .selectFrom('notification')
      .select('message')
      .where('userId', '=', app.admin.id)
      .where('kind', '=', 'import-finished')
      .where('relatedId', '=', one.id)
      .execute();
    expect(notified).toEqual([{ message: '3 employees were imported. 1 could not be imported.' }]);

    const result = await app.result(one);
    expect(result.split('\r\n').slice(0, 4)).toEqual([
      'Row,Full Name,Email,Department,Position,Outcome,Reason,Employee ID',
      '5,Ann Person,once-1@tallis.test,Sales,,Not imported,Joined after the file was checked,',
      expect.stringMatching(/^3,Bad,bad,Sales,,Not imported,/),
      `2,Ana Popescu,ana@once.test,Finance,Lead,Imported,,${ana.employeeNumber}`,
    ]);
  });

  test('lets open screens know once per chunk, not once per person', async () => {
    const one = await app.checked(IMPORT_HEADER + people('news', 5));
    await app.confirm(one);
    await app.purser.db.deleteFrom('outbox').execute();
    await app.run(one, { chunkPeople: 3 });
    const published = await app.purser.db
      .selectFrom('outbox')
      .select('topic')
      .where('kind', '=', 'event')
      .where('topic', '=', 'people')
      .execute();
    expect(published).toHaveLength(2);
  });

  test('stops between two chunks and goes on where it was, by the sweep', async () => {
    const one = await app.checked(IMPORT_HEADER + people('resume', 5));
    await app.confirm(one);
    const stop = new AbortController();
    const clock = {
      now: () => {
        stop.abort();
        return new Date();
      },
    };
    await app.run(one, { clock, chunkPeople: 2, signal: stop.signal });
    expect(await app.latest()).toMatchObject({ status: 'importing', counts: { imported: 2 } });
    await app.purser.db.deleteFrom('outbox').execute();
    await sweepImports(app.purser.db);
    const jobs = await app.purser.db
      .selectFrom('outbox')
      .select(['topic', 'payload'])
      .where('kind', '=', 'job')
      .execute();
    expect(jobs).toEqual([{ topic: 'import-employees', payload: { importId: one.id } }]);
    await app.run(one);
    expect(await app.latest()).toMatchObject({ status: 'finished', counts: { imported: 5 } });
  });

  test('adds nobody of a chunk that breaks off, and all of them the next time', async () => {
    const one = await app.checked(IMPORT_HEADER + people('breaks', 3));
    await app.confirm(one);
    const before = await app.countPeople();
    let asked = 0;
    const clock = {
      now: () => {
        asked += 1;
        // People, wallets and applications are written; their rows are not marked yet.
        if (asked > 3) throw new Error('the process dies');
        return new Date();
      },
    };
    await expect(app.run(one, { clock })).rejects.toThrow('dies');
    expect(await app.countPeople()).toBe(before);
    await app.run(one);
    expect(await app.countPeople()).toBe(before + 3);
  });

  test('adds everyone once, however often its connection is killed', async () => {
    const { db, services, appUrl } = app.purser;
    const MANY = 300;
    const one = await app.checked(IMPORT_HEADER + people('killed', MANY));
    await app.confirm(one);
    const before = await app.countPeople();
    let kills = 0;
    for (let life = 0; (await app.latest())?.status === 'importing'; life += 1) {
      const pool = createPool({ url: appUrl, max: 1, applicationName: 'importer' });
      // So that there is a connection to kill.
      await pool.query('SELECT 1');
      const running = runImport(createDb(pool), services, one.id, { chunkPeople: 2 });
      let isOver = false;
      const ended = running
        .then(
          () => 'finished',
          () => 'killed',
        )
        .finally(() => (isOver = true));
      if (life < 10) {
        const enough = (await app.countPeople()) + Math.random() * 20;
        const hasAdded = async () => isOver || (await app.countPeople()) >= enough;
        await until(hasAdded, { everyMs: 1 });
        await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE application_name = 'importer'
                     AND datname = current_database()`.execute(db);
      }
      if ((await ended) === 'killed') kills += 1;
      await pool.end();
    }
    expect(kills).toBeGreaterThan(1);
    expect(await app.latest()).toMatchObject({ status: 'finished', counts: { imported: MANY } });
    expect(await app.countPeople()).toBe(before + MANY);
    const { rows } = await sql<{ people: number; wallets: number; numbers: number }>`
      SELECT count(*)::int AS people, count(wallet)::int AS wallets,
             count(DISTINCT employee_number)::int AS numbers
        FROM app_user AS person LEFT JOIN wallet ON wallet.user_id = person.id
       WHERE email LIKE 'killed-%'`.execute(db);
    expect(rows).toEqual([{ people: MANY, wallets: MANY, numbers: MANY }]);
  });

  test('leaves out alone who joins while their chunk is added', async () => {
    const { db, services } = app.purser;
    const one = await app.checked(IMPORT_HEADER + people('meanwhile', 4));
    await app.confirm(one);
    const before = await app.countPeople();
    const running = await withTx(db, async (tx) => {
      const account = { email: 'meanwhile-2@tallis.test', firstName: 'Ann', lastName: 'Person' };
      const by = { actor: 'system' } as const;
      await createEmployeeAccount(tx, services, by, { ...account, passwordHash: null });
      const run = app.run(one);
      await untilBlocked(db);
      return { run };
    });
    await running.run;
    expect(await app.countPeople()).toBe(before + 4);
    expect(await app.latest()).toMatchObject({ counts: { imported: 3, failed: 1 } });
    expect(
      (await app.rowsOf(one, '&status=left-out')).map(({ email, problems }) => [email, problems]),
    ).toEqual([
      [
        'meanwhile-2@tallis.test',
        [{ column: 'email', message: 'Joined after the file was checked' }],
      ],
    ]);
  });

  test('imports nobody twice by the same file', async () => {
    const text = IMPORT_HEADER + people('twice', 2);
    const one = await app.checked(text);
    await app.confirm(one);
    await app.run(one);
    const again = await app.checked(text);
    expect(again.counts).toMatchObject({ ready: 0, duplicates: 2 });
    expect(await problemOf(await app.confirm(again))).toMatchObject({
      code: 'import_nothing_ready',
    });
  });
});
