import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IMPORT_MAX_BYTES } from '#contract/employee-import.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { createEmployee } from '#test/factories/people.ts';
import { IMPORT_HEADER, IMPORT_PATH, openImportApp, people, problemOf } from '#test/import-app.ts';
import type { ImportApp } from '#test/import-app.ts';

let app: ImportApp;
beforeAll(async () => {
  app = await openImportApp();
});
afterAll(() => app.purser.close());
beforeEach(() => app.clear());

describe('a row that is changed past the commands', () => {
  test.each([
    ['has another address', { email: 'thief@tallis.test' }],
    ['is ready', { status: 'ready' as const }],
  ])('and %s is not confirmed', async (_what, changed) => {
    const one = await app.checked(`${IMPORT_HEADER}${people('kept', 2)}Bad,bad,Sales\r\n`);
    const before = await app.countPeople();
    await app.purser.db
      .updateTable('employeeImportRow')
      .set(changed)
      .where('importId', '=', one.id)
      .where('status', '=', 'status' in changed ? 'error' : 'ready')
      .execute();
    expect(await problemOf(await app.confirm(one))).toMatchObject({ code: 'conflict' });
    expect(await app.countPeople()).toBe(before);
  });
});

describe('checking a file', () => {
  test('says what is wrong with which column of which row, and adds nobody', async () => {
    const here = await createEmployee(app.purser.db, app.purser.services, {
      email: 'here@tallis.test',
    });
    const before = await app.countPeople();
    const one = await app.checked(
      [
        'Salary,Dept,Name,Work email',
        '1,Sales,Ana Popescu,Ana@Tallis.test ',
        '2,Suport,Harriet Lowe,h.lowe@tallis.test',
        '3,Sales,,j.okoye@tallis.test',
        '4,Nowhere,Tomasz,t.zielinski@tallisreed',
        '',
        '5,data-entry,Yusuf Demir,ANA@tallis.test',
        '6,HR,Priya Raghu,here@tallis.test',
        '7,HR,Suharto -,suharto@tallis.test',
      ].join('\n'),
    );
    expect(one).toMatchObject({
      fileName: 'new-hires.csv',
      status: 'checked',
      header: ['Salary', 'Dept', 'Name', 'Work email'],
      mapping: { fullName: 2, lastName: null, email: 3, department: 1, position: null },
      counts: { rows: 7, ready: 2, errors: 3, duplicates: 2, imported: 0, failed: 0 },
      isMailed: false,
    });
    const rows = await app.rowsOf(one);
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
      { row: 9, status: 'ready', problems: [] },
    ]);
    expect(rows[4]).toMatchObject({ person: { id: here.id } });
    expect(rows[5]).toMatchObject({ email: 'ana@tallis.test', department: 'Sales' });
    expect(rows[6]).toMatchObject({ fullName: 'Suharto' });
    expect(await app.rowsOf(one, '&status=left-out')).toHaveLength(5);
    expect(await app.countPeople()).toBe(before);
  });

  test.each([
    ['a byte order mark and CRLF', '\ufeffFull Name,Email,Department\r\nÅsa Öst,asa@x.test,HR\r\n'],
    ['semicolons', 'Email;Full Name;Department;Job Title\nasa@x.test;Åsa Öst;HR;"Lead; north"\n'],
    ['tabs', 'Email\tFull Name\tDepartment\nasa@x.test\tÅsa Öst\tHR'],
    [
      'a line that names the delimiter',
      'sep=;\r\nFull Name;Email;Department\r\nÅsa Öst;asa@x.test;HR\r\n',
    ],
    [
      'titles above the header and a total below',
      'Employee roster,,,\r\nGenerated 11/25/2026,,,\r\n\r\nFull Name,Email,Department,Pay\r\nÅsa Öst,asa@x.test,HR,1\r\nTotal,,,1\r\n',
    ],
    [
      'first and last names apart',
      'First Name,Last Name,Email,Department\nÅsa,Öst,asa@x.test,HR\n',
    ],
    ['a last name before the first', 'Name,Email,Department\n"Öst, Åsa",asa@x.test,HR\n'],
    ['another name of a department', 'Name,Email,Department\nÅsa Öst,asa@x.test,Human Resources\n'],
    ['UTF-16', Buffer.from('\ufeffName\tEmail\tDepartment\nÅsa Öst\tasa@x.test\tHR\n', 'utf16le')],
    ['Windows-1252', Buffer.from('Name;Email;Department\nÅsa Öst;asa@x.test;HR\n', 'latin1')],
    ['quotes', '"Full Name","Email","Department"\n"Åsa Öst","asa@x.test","HR"\n'],
    ['bars', 'Full Name|Email|Department\nÅsa Öst|asa@x.test|HR\n'],
    [
      'many titles above the header',
      `${'Roster\n'.repeat(14)}Full Name,Email,Department\nÅsa Öst,asa@x.test,HR\n`,
    ],
  ])('reads %s', async (_what, text) => {
    const one = await app.checked(text);
    expect(await app.rowsOf(one)).toMatchObject([
      { fullName: 'Åsa Öst', email: 'asa@x.test', department: 'HR', status: 'ready' },
    ]);
  });

  test('counts the rows of totals that it leaves out', async () => {
    const one = await app.checked(
      'Name,Email,Department\nÅsa Öst,asa@x.test,HR\nSubtotal,,1\nGrand total,,1\n',
    );
    expect(one.counts).toMatchObject({ rows: 1, ready: 1, totals: 2 });
  });

  test('has an error in a row with a cell behind the last column, also when columns are matched', async () => {
    const one = await app.checked(
      'Full Name,Email,Department,Position\n' +
        'Ann Lee,ann@x.test,Sales,Clerk, night\nBo Lee,bo@x.test,Sales,Clerk,,\n',
    );
    const expected = { rows: 2, ready: 1, errors: 1 };
    expect(one.counts).toMatchObject(expected);
    expect((await app.rowsOf(one))[0]?.problems).toEqual([
      {
        column: 'position',
        message: expect.stringContaining('more cells than the file has columns'),
      },
    ]);
    const body = { fullName: 0, lastName: null, email: 1, department: 2, position: null };
    expect((await app.act(one, 'columns', body)).status).toBe(200);
    expect((await app.latest())?.counts).toMatchObject(expected);
  });

  test('calls no row ready that would be refused when it is imported', async () => {
    const emails = [
      'jo@bücher.test',
      'jo.zw\u200b@purser.test',
      'jo..b@purser.test',
      'jo.b@purser.test.',
      'mailto:jo.b@purser.test',
      "j.o'b+c_d-e@mail.purser.test",
    ];
    const rows = emails.map((email) => `Jo Berg,${email},Sales`).join('\r\n');
    const one = await app.checked(`Full Name,Email,Department\r\n${rows}\r\n`);
    expect(one.counts).toMatchObject({ rows: 6, ready: 2, errors: 4 });
    await app.confirm(one);
    await app.run(one);
    expect((await app.latest())?.counts).toMatchObject({ imported: 2, failed: 0 });
  });

  test('finds three bad rows and a duplicate among 100,000, in a company that was empty', async () => {
    const one = await app.checked(
      `${IMPORT_HEADER}${people('many', 50_000)}No Email,,Sales\r\nNo Team,t@x.test,Nowhere\r\n` +
        `${'x'.repeat(81)},one.name@x.test,HR\r\nAnn Person,MANY-7@tallis.test,HR\r\n${people('more', 49_996)}`,
    );
    expect(one.counts).toMatchObject({ rows: 100_000, ready: 99_996, errors: 3, duplicates: 1 });
    const body = { fullName: 0, lastName: null, email: 1, department: 2, position: null };
    expect((await app.act(one, 'columns', body)).status).toBe(200);
    expect((await app.latest())?.counts).toEqual(one.counts);
    expect(
      (await app.rowsOf(one, '&status=left-out')).map(({ row, problems }) => [row, problems]),
    ).toEqual([
      [50_002, [{ column: 'email', message: 'Email is empty' }]],
      [50_003, [{ column: 'department', message: 'Not a department' }]],
      [50_004, [{ column: 'fullName', message: 'Use at most 80 characters for each name' }]],
      [50_005, [{ column: 'email', message: 'Same email as row 9' }]],
    ]);
  });

  test('asks for the columns where their names say nothing', async () => {
    const one = await app.checked('Wer,Wo,Was\nAna Popescu,a@x.test,Sales\n');
    expect(one).toMatchObject({ mapping: { fullName: null, email: null }, counts: { ready: 0 } });
    const body = { fullName: 0, lastName: null, email: 1, department: 2, position: null };
    expect(await problemOf(await app.act(one, 'columns', { ...body, email: 3 }))).toMatchObject({
      status: 422,
      errors: [{ path: 'email' }],
    });
    expect((await app.act(one, 'columns', body)).status).toBe(200);
    expect(await app.latest()).toMatchObject({ version: 2, mapping: body, counts: { ready: 1 } });
    // An admin who has not seen that confirms nothing.
    expect(await problemOf(await app.confirm(one))).toMatchObject({ code: 'conflict' });
    // The next file with these headings needs no choice.
    const next = await app.checked('Wer,Wo,Was\nIon Popescu,i@x.test,Sales\n');
    expect(next).toMatchObject({ mapping: body, counts: { ready: 1 } });
  });

  test.each([
    ['Name,Email,Email,Department', 'email', '“Email” and “Email”'],
    ['Name,Work Email,E-mail,Department', 'email', '“Work Email” and “E-mail”'],
  ] as const)(
    'reads none of “%s” before somebody says which it is',
    async (header, column, names) => {
      const file = `${header}\nAna Popescu,a@x.test,b@x.test,Sales\n`;
      const one = await app.checked(file);
      expect(one).toMatchObject({ mapping: { email: null }, counts: { ready: 0, errors: 1 } });
      const message = `${names} could both be it. Choose one with Match Columns.`;
      expect((await app.rowsOf(one))[0]?.problems).toEqual([{ column, message }]);
      expect(await problemOf(await app.confirm(one))).toMatchObject({
        code: 'import_nothing_ready',
      });
      const body = { fullName: 0, lastName: null, email: 2, department: 3, position: null };
      expect((await app.act(one, 'columns', body)).status).toBe(200);
      expect(await app.rowsOf(one)).toMatchObject([{ email: 'b@x.test', status: 'ready' }]);
      // The next file with these headings needs no choice.
      expect(await app.checked(file)).toMatchObject({ mapping: body, counts: { ready: 1 } });
    },
  );

  test('asks for a field that a file need not have where two columns could be it', async () => {
    const one = await app.checked(
      'First,Last,Surname,Email,Team,Title,Role\nAna,Pop,Popescu,a@x.test,HR,Lead,Clerk\n',
    );
    expect(one.counts).toMatchObject({ ready: 0, errors: 1 });
    expect((await app.rowsOf(one))[0]?.problems.map(({ column }) => column)).toEqual([
      'lastName',
      'position',
    ]);
    const body = { fullName: 0, lastName: 2, email: 3, department: 4, position: null };
    expect((await app.act(one, 'columns', body)).status).toBe(200);
    expect(await app.rowsOf(one)).toMatchObject([{ fullName: 'Ana Popescu', position: '' }]);
  });

  test.each([
    ['no header', 'Ana Popescu,ana@x.test,Sales\n', 'import_no_header'],
    ['an empty header', ',,\nAna Popescu,ana@x.test,Sales\n', 'import_no_header'],
    ['a header alone', 'Name,Email,Department\n\n,,\n', 'import_empty'],
    ['nothing', '', 'import_empty'],
    ['an archive', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0]), 'import_not_text'],
    ['a gzip of much', gzipSync('x'.repeat(10_000_000)), 'import_not_text'],
    [
      'broken UTF-8',
      Buffer.concat([Buffer.from('Åsa,'), Buffer.from([0xe9, 0x2c])]),
      'import_not_text',
    ],
    ['a quote that is not closed', `${IMPORT_HEADER}"Ana,a@x.test,Sales\n`, 'import_unreadable'],
    ['an endless line', `${IMPORT_HEADER}"${'x'.repeat(30_000)}`, 'import_unreadable'],
  ])('refuses %s and keeps nothing', async (_what, body, code) => {
    expect(await problemOf(await app.upload(body))).toMatchObject({ status: 422, code });
    expect(await app.latest()).toBeNull();
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
    const reply = await app.purser.app.request(`http://localhost:3000${IMPORT_PATH}`, {
      method: 'POST',
      headers: {
        cookie: app.cookie,
        origin: 'http://localhost:3000',
        'sec-fetch-site': 'same-origin',
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
    const body = IMPORT_HEADER + line.repeat(Math.ceil(IMPORT_MAX_BYTES / line.length));
    expect(await problemOf(await app.upload(body))).toMatchObject({ code: 'import_too_large' });
    expect(await app.latest()).toBeNull();
  });

  test('only one at a time: the refusal names the admin, and another one may discard it', async () => {
    const one = await app.checked(IMPORT_HEADER + people('mine', 1));
    expect(
      await problemOf(await app.upload(IMPORT_HEADER + people('his', 1), { as: app.otherCookie })),
    ).toEqual(
      expect.objectContaining({
        code: 'import_in_progress',
        title: expect.stringContaining(`${app.admin.name} is already importing new-hires.csv`),
      }),
    );
    expect((await app.latest())?.id).toBe(one.id);
    // The same admin replaces it.
    const replaced = await app.checked(IMPORT_HEADER + people('mine', 2));
    expect((await app.act(one, 'discard')).status).toBe(404);
    expect((await app.act(replaced, 'discard', undefined, app.otherCookie)).status).toBe(200);
    expect(await app.latest()).toBeNull();
  });

  test('takes one of two files sent concurrently', async () => {
    const replies = await Promise.all([
      app.upload(IMPORT_HEADER + people('one', 3)),
      app.upload(IMPORT_HEADER + people('two', 3), { as: app.otherCookie }),
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const refused = replies.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ code: 'import_in_progress' });
  });

  test('does not wait for a file whose upload a killed process left', async () => {
    const at = new Date(Date.now() - LIMITS.imports.readingTimeoutMs - 1_000);
    const { id } = await app.checked(IMPORT_HEADER + people('left', 1));
    await app.purser.db
      .updateTable('employeeImport')
      .set({ status: 'reading', updatedAt: at })
      .where('id', '=', id)
      .execute();
    expect(
      (await app.upload(IMPORT_HEADER + people('next', 1), { as: app.otherCookie })).status,
    ).toBe(201);
  });
});
