import { expect } from 'vitest';
import type { EmployeeImport, ImportRow } from '#contract/api.ts';
import { systemClock } from '#server/lib/clock.ts';
import type { Clock } from '#server/lib/clock.ts';
import { runImport } from '#server/modules/employees/imports/run-import.ts';
import type { RunImportOptions } from '#server/modules/employees/imports/run-import.ts';
import { openTestApp } from './app.ts';
import type { TestApp } from './app.ts';
import { createAdmin } from './factories/people.ts';
import type { TestPerson } from './factories/people.ts';

export const IMPORT_PATH = '/api/admin/employee-imports';
/** Header line of the files whose rows `people` makes. */
export const IMPORT_HEADER = 'Name,Work email,Dept\r\n';

/** An app with two admins who import employees from files. */
export interface ImportApp {
  purser: TestApp;
  admin: TestPerson;
  cookie: string;
  otherCookie: string;
  upload: (body: unknown, options?: { as?: string }) => Promise<Response>;
  /** Uploads a file that is taken. */
  checked: (body: unknown) => Promise<EmployeeImport>;
  rowsOf: (one: { id: string }, query?: string) => Promise<ImportRow[]>;
  act: (one: { id: string }, what: string, body?: object, as?: string) => Promise<Response>;
  confirm: (one: EmployeeImport, as?: string) => Promise<Response>;
  latest: () => Promise<EmployeeImport | null>;
  /** Its result as CSV. */
  result: (one: { id: string }) => Promise<string>;
  run: (one: { id: string }, options?: RunImportOptions & { clock?: Clock }) => Promise<void>;
  countPeople: () => Promise<number>;
  /** Forgets the files, and how many were sent. */
  clear: () => Promise<void>;
}

export async function openImportApp(): Promise<ImportApp> {
  const purser = await openTestApp();
  const { db, services } = purser;
  const admin = await createAdmin(db, services);
  const cookie = await purser.cookieOf(admin);
  const otherCookie = await purser.cookieOf(await createAdmin(db, services));
  const read = async <T>(path: string) =>
    (await (await purser.ask('GET', `${IMPORT_PATH}/${path}`, { cookie })).json()) as T;
  const upload: ImportApp['upload'] = (body, { as = cookie } = {}) =>
    purser.ask('POST', `${IMPORT_PATH}?fileName=new-hires.csv`, {
      cookie: as,
      body,
      headers: { 'content-type': 'text/csv' },
    });
  const act: ImportApp['act'] = (one, what, body, as = cookie) =>
    purser.ask(what === 'columns' ? 'PUT' : 'POST', `${IMPORT_PATH}/${one.id}/${what}`, {
      cookie: as,
      ...(body !== undefined && { body }),
    });
  return {
    purser,
    admin,
    cookie,
    otherCookie,
    upload,
    act,
    async checked(body) {
      const reply = await upload(body);
      expect(reply.status, await reply.clone().text()).toBe(201);
      return (await reply.json()) as EmployeeImport;
    },
    rowsOf: async ({ id }, query = '') =>
      (await read<{ items: ImportRow[] }>(`${id}/rows?pageSize=100${query}`)).items,
    confirm: (one, as = cookie) => act(one, 'confirm', { version: one.version }, as),
    latest: async () => (await read<{ latest: EmployeeImport | null }>('latest')).latest,
    result: async ({ id }) =>
      (await purser.ask('GET', `${IMPORT_PATH}/${id}/rows/export`, { cookie })).text(),
    run: (one, { clock = systemClock, ...options } = {}) =>
      runImport(db, { ...services, clock }, one.id, options),
    countPeople: async () => (await db.selectFrom('appUser').select('id').execute()).length,
    async clear() {
      await db.deleteFrom('employeeImport').execute();
      await db.deleteFrom('rateLimit').execute();
    },
  };
}

/** Rows of a file, of that many people whom nobody knows. */
export function people(label: string, count: number): string {
  return Array.from(
    { length: count },
    (_, n) => `Ann Person,${label}-${n}@tallis.test,Sales\r\n`,
  ).join('');
}

export async function problemOf(reply: Response): Promise<object> {
  return { status: reply.status, ...((await reply.json()) as object) };
}
