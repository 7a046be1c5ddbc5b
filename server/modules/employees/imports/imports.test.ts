import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EmployeeImport, ImportRow } from '#contract/api.ts';
import { IMPORT_MAX_BYTES } from '#contract/employee-import.ts';
import { systemClock } from '#server/lib/clock.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { runImport, sweepImports } from './run-import.ts';

const PATH = '/api/admin/employee-imports';
const HEADER = 'Name,Work email,Dept\r\n';

let purser: TestApp;
let admin: Awaited<ReturnType<typeof createAdmin>>;
let cookie: string;
let otherCookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
  const other = await createAdmin(purser.db, purser.services);
  cookie = await purser.cookieOf(admin);
  otherCookie = await purser.cookieOf(other);
});
afterAll(() => purser.close());
beforeEach(async () => {
  await purser.db.deleteFrom('employeeImport').execute();
  await purser.db.deleteFrom('rateLimit').execute();
});

const upload = (body: unknown, { as = cookie, headers = {} } = {}) =>
  purser.ask('POST', `${PATH}?fileName=new-hires.csv`, {
    cookie: as,
    body,
    headers: { 'content-type': 'text/csv', ...headers },
  });
const checked = async (body: unknown): Promise<EmployeeImport> => {
  const reply = await upload(body);
  expect(reply.status, await reply.clone().text()).toBe(201);
  return (await reply.json()) as EmployeeImport;
};
const rowsOf = async ({ id }: { id: string }, query = ''): Promise<ImportRow[]> => {
  const reply = await purser.ask('GET', `${PATH}/${id}/rows?pageSize=100${query}`, { cookie });
  return ((await reply.json()) as { items: ImportRow[] }).items;
};
const act = (one: { id: string }, what: string, body?: object, as = cookie) =>
  purser.ask(what === 'columns' ? 'PUT' : 'POST', `${PATH}/${one.id}/${what}`, {
    cookie: as,
    ...(body !== undefined && { body }),
  });
const confirm = (one: EmployeeImport, as = cookie) =>
  act(one, 'confirm', { version: one.version }, as);
const latest = async () => {
  const reply = await purser.ask('GET', `${PATH}/latest`, { cookie });
  return ((await reply.json()) as { latest: EmployeeImport | null }).latest;
};
const services = () => ({ ...purser.services, clock: systemClock });
const run = (one: { id: string }, options = {}) =>
  runImport(purser.db, services(), one.id, options);
const countPeople = async () =>
  (await purser.db.selectFrom('appUser').select('id').execute()).length;
const people = (label: string, count: number) =>
  Array.from({ length: count }, (_, n) => `Ann Person,${label}-${n}@tallis.test,Sales\r\n`).join(
    '',
  );
const problemOf = async (reply: Response) => {
  const { status } = reply;
  return { status, ...((await reply.json()) as object) };
};

describe('checking a file', () => {
  test('says what is wrong with which column of which row, and adds nobody', async () => {
    const here = await createEmployee(purser.db, purser.services, { email: 'here@tallis.test' });
    const before = await countPeople();
    const one = await checked(
      [
        'Salary,Dept,Name,Work email',
        '1,Sales,Ana Popescu,Ana@Tallis.test ',
        '2,Suport,Harriet Lowe,h.lowe@tallis.test',
        '3,Sales,,j.okoye@tallis.test',
        '4,Nowhere,Tomasz,t.zielinski@tallisreed',
        '',
        '5,data-entry,Yusuf Demir,ANA@tallis.test',
        '6,HR,Priya Raghu,here@tallis.test',
      ].join('\n'),
    );
    expect(one).toMatchObject({
      fileName: 'new-hires.csv',
      status: 'checked',
      header: ['Salary', 'Dept', 'Name', 'Work email'],
      mapping: { fullName: 2, email: 3, department: 1, position: null },
      counts: { rows: 6, ready: 1, errors: 3, duplicates: 2, imported: 0, failed: 0 },
      isMailed: false,
    });
    const rows = await rowsOf(one);
    expect(rows.map(({ row, status, problems }) => ({ row, status, problems }))).toEqual([
      {
        row: 3,
        status: 'error',
        problems: [
          { column: 'department', message: 'Not a department. Did you mean Customer support?' },
        ],
      },
      {
        row: 4,
        status: 'error',
        problems: [{ column: 'fullName', message: 'Full Name is empty' }],
      },
      {
        row: 5,
        status: 'error',
        problems: [
          { column: 'fullName', message: 'Enter a first and a last name' },
          { column: 'email', message: 'Enter a valid email address' },
          { column: 'department', message: 'Not a department' },
        ],
      },
      {
        row: 7,
        status: 'duplicate',
        problems: [{ column: 'email', message: 'Same email as row 2' }],
      },
      { row: 8, status: 'duplicate', problems: [{ column: 'email', message: 'Already here' }] },
      { row: 2, status: 'ready', problems: [] },
    ]);
    expect(rows[4]).toMatchObject({ person: { id: here.id } });
    expect(rows[5]).toMatchObject({ email: 'ana@tallis.test', department: 'Sales' });
    expect(await rowsOf(one, '&status=left-out')).toHaveLength(5);
    expect(await countPeople()).toBe(before);
  });

  test.each([
    ['a byte order mark and CRLF', '\ufeffFull Name,Email,Department\r\nÅsa Öst,asa@x.test,HR\r\n'],
    ['semicolons', 'Email;Full Name;Department;Job Title\nasa@x.test;Åsa Öst;HR;"Lead; north"\n'],
    ['tabs', 'Email\tFull Name\tDepartment\nasa@x.test\tÅsa Öst\tHR'],
    ['quotes', '"Full Name","Email","Department"\n"Åsa Öst","asa@x.test","HR"\n'],
  ])('reads %s', async (_what, text) => {
    const one = await checked(text);
    expect(await rowsOf(one)).toMatchObject([
      { fullName: 'Åsa Öst', email: 'asa@x.test', department: 'HR', status: 'ready' },
    ]);
  });

  test('asks for the columns where their names say nothing', async () => {
    const one = await checked('Wer,Wo,Was\nAna Popescu,a@x.test,Sales\n');
    expect(one).toMatchObject({ mapping: { fullName: null, email: null }, counts: { ready: 0 } });
    const body = { fullName: 0, email: 1, department: 2, position: null };
    expect(await problemOf(await act(one, 'columns', { ...body, email: 3 }))).toMatchObject({
      status: 422,
      errors: [{ path: 'email' }],
    });
    expect((await act(one, 'columns', body)).status).toBe(200);
    expect(await latest()).toMatchObject({ version: 2, mapping: body, counts: { ready: 1 } });
    // Who has not seen that confirms nothing.
    expect(await problemOf(await confirm(one))).toMatchObject({ code: 'conflict' });
  });

  test.each([
    ['no header', 'Ana Popescu,ana@x.test,Sales\n', 'import_no_header'],
    ['an empty header', ',,\nAna Popescu,ana@x.test,Sales\n', 'import_no_header'],
    ['a header alone', 'Name,Email,Department\n\n,,\n', 'import_empty'],
    ['nothing', '', 'import_empty'],
    ['an archive', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0]), 'import_not_text'],
    ['another alphabet', new Uint8Array([0x4e, 0xe9, 0x2c, 0x0a]), 'import_not_text'],
    ['a quote that is not closed', `${HEADER}"Ana,a@x.test,Sales\n`, 'import_unreadable'],
    ['an endless line', `${HEADER}"${'x'.repeat(30_000)}`, 'import_unreadable'],
  ])('refuses %s and keeps nothing', async (_what, body, code) => {
    expect(await problemOf(await upload(body))).toMatchObject({ status: 422, code });
    expect(await latest()).toBeNull();
  });

  test('refuses what is too large by its length, before any of it is read', async () => {
    let isRead = false;
    const body = new ReadableStream(
      {
        pull() {
          isRead = true;
        },
      },
      { highWaterMark: 0 },
    );
    const reply = await purser.app.request(`http://localhost:3000${PATH}`, {
      method: 'POST',
      headers: {
        ...{ cookie, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
        'content-length': '200000000',
      },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(await problemOf(reply)).toMatchObject({ status: 413, code: 'import_too_large' });
    expect(isRead).toBe(false);
  });

  test('refuses what turns out to be too large', async () => {
    const line = `Ana Popescu,ana@x.test,${'x'.repeat(9_000)}\n`;
    const body = HEADER + line.repeat(Math.ceil(IMPORT_MAX_BYTES / line.length));
    expect(await problemOf(await upload(body))).toMatchObject({ code: 'import_too_large' });
    expect(await latest()).toBeNull();
  });

  test('only one at a time: the refusal names the admin, and another one may discard it', async () => {
    const one = await checked(HEADER + people('mine', 1));
    expect(await problemOf(await upload(HEADER + people('his', 1), { as: otherCookie }))).toEqual(
      expect.objectContaining({
        code: 'import_in_progress',
        title: expect.stringContaining(`${admin.name} is importing new-hires.csv already`),
      }),
    );
    expect((await latest())?.id).toBe(one.id);
    // The same admin replaces it.
    const replaced = await checked(HEADER + people('mine', 2));
    expect((await act(one, 'discard')).status).toBe(404);
    expect((await act(replaced, 'discard', undefined, otherCookie)).status).toBe(200);
    expect(await latest()).toBeNull();
  });

  test('of two files at once, takes one', async () => {
    const replies = await Promise.all([
      upload(HEADER + people('one', 3)),
      upload(HEADER + people('two', 3), { as: otherCookie }),
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const refused = replies.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ code: 'import_in_progress' });
  });

  test('does not wait for a file whose upload a killed process left', async () => {
    const at = new Date(Date.now() - LIMITS.imports.readingTimeoutMs - 1_000);
    const { id } = await checked(HEADER + people('left', 1));
    await purser.db
      .updateTable('employeeImport')
      .set({ status: 'reading', updatedAt: at })
      .where('id', '=', id)
      .execute();
    expect((await upload(HEADER + people('next', 1), { as: otherCookie })).status).toBe(201);
  });
});

describe('importing', () => {
  test('adds everyone who is ready, once, as one is added, and says what became of each', async () => {
    const one = await checked(
      `Name,Work email,Dept,Title\r\nAna Popescu,ana@once.test,Finance,Lead\r\nBad,bad,Sales,\r\n${people('once', 3).replaceAll('\r\n', ',\r\n')}`,
    );
    const before = await countPeople();
    expect((await confirm(one)).status).toBe(200);
    expect(await problemOf(await confirm(one))).toMatchObject({ code: 'import_wrong_status' });
    expect((await act(one, 'discard')).status).toBe(409);
    // Joined between the check and now.
    await createEmployee(purser.db, purser.services, { email: 'once-1@tallis.test' });
    await Promise.all([run(one, { chunkPeople: 2 }), run(one, { chunkPeople: 2 })]);
    await run(one);

    expect(await countPeople()).toBe(before + 1 + 3);
    expect(await latest()).toMatchObject({
      status: 'finished',
      confirmedBy: admin.name,
      counts: { rows: 5, ready: 4, errors: 1, imported: 3, failed: 1 },
    });
    const rows = await rowsOf(one);
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
    const ana = await purser.db
      .selectFrom('appUser')
      .select(['id', 'acceptedAt', 'department', 'position', 'employeeNumber'])
      .where('email', '=', 'ana@once.test')
      .executeTakeFirstOrThrow();
    expect(ana).toMatchObject({ department: 'finance', position: 'Lead' });
    expect(rows[2]?.person).toEqual({ id: ana.id, employeeId: ana.employeeNumber });
    const wallets = await purser.db
      .selectFrom('wallet')
      .select('type')
      .where('userId', '=', ana.id)
      .execute();
    expect(wallets).toEqual([{ type: 'salary' }]);
    const created = await purser.db
      .selectFrom('auditEvent')
      .select(['actorId', 'action'])
      .where('personId', '=', ana.id)
      .where('actorId', 'is not', null)
      .execute();
    expect(created).toEqual([{ actorId: admin.id, action: 'user.created' }]);
    const notified = await purser.db
      .selectFrom('notification')
      .select('message')
      .where('userId', '=', admin.id)
      .where('kind', '=', 'import-finished')
      .where('relatedId', '=', one.id)
      .execute();
    expect(notified).toEqual([{ message: '3 employees were imported, 1 could not be.' }]);

    const result = await purser.ask('GET', `${PATH}/${one.id}/rows/export`, { cookie });
    expect((await result.text()).split('\r\n').slice(0, 4)).toEqual([
      'Row,Full Name,Email,Department,Position,Outcome,Reason,Employee ID',
      '5,Ann Person,once-1@tallis.test,Sales,,Not imported,Joined after the file was checked,',
      expect.stringMatching(/^3,Bad,bad,Sales,,Not imported,/),
      `2,Ana Popescu,ana@once.test,Finance,Lead,Imported,,${ana.employeeNumber}`,
    ]);
  });

  test('lets open screens know once per chunk, not once per person', async () => {
    const one = await checked(HEADER + people('news', 5));
    await confirm(one);
    await purser.db.deleteFrom('outbox').execute();
    await run(one, { chunkPeople: 3 });
    const published = await purser.db
      .selectFrom('outbox')
      .select('topic')
      .where('kind', '=', 'event')
      .where('topic', '=', 'people')
      .execute();
    expect(published).toHaveLength(2);
  });

  test('stops between two chunks and goes on where it was, by the sweep', async () => {
    const one = await checked(HEADER + people('resume', 5));
    await confirm(one);
    const stop = new AbortController();
    const clock = {
      now: () => {
        stop.abort();
        return new Date();
      },
    };
    await runImport(purser.db, { ...services(), clock }, one.id, {
      chunkPeople: 2,
      signal: stop.signal,
    });
    expect(await latest()).toMatchObject({ status: 'importing', counts: { imported: 2 } });
    await purser.db.deleteFrom('outbox').execute();
    await sweepImports(purser.db);
    const jobs = await purser.db
      .selectFrom('outbox')
      .select(['topic', 'payload'])
      .where('kind', '=', 'job')
      .execute();
    expect(jobs).toEqual([{ topic: 'import-employees', payload: { importId: one.id } }]);
    await run(one);
    expect(await latest()).toMatchObject({ status: 'finished', counts: { imported: 5 } });
  });

  test('adds nobody of a chunk that breaks off, and all of them the next time', async () => {
    const one = await checked(HEADER + people('breaks', 3));
    await confirm(one);
    const before = await countPeople();
    let asked = 0;
    const clock = {
      now: () => {
        asked += 1;
        if (asked > 4) throw new Error('the process dies');
        return new Date();
      },
    };
    await expect(runImport(purser.db, { ...services(), clock }, one.id)).rejects.toThrow('dies');
    expect(await countPeople()).toBe(before);
    await run(one);
    expect(await countPeople()).toBe(before + 3);
  });

  test('imports nobody twice by the same file', async () => {
    const text = HEADER + people('twice', 2);
    const one = await checked(text);
    await confirm(one);
    await run(one);
    const again = await checked(text);
    expect(again.counts).toMatchObject({ ready: 0, duplicates: 2 });
    expect(await problemOf(await confirm(again))).toMatchObject({ code: 'import_nothing_ready' });
  });
});
