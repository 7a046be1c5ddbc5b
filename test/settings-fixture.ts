import { afterAll, beforeAll } from 'vitest';
import type { SettingsReply } from '#contract/api.ts';
import { openTestApp } from './app.ts';
import type { TestApp } from './app.ts';
import { createAdmin, createEmployee } from './factories/people.ts';

/**
 * Two administrators and an employee who ask for the settings of their company, for the tests of one file.
 *
 * @param onOpen given the app, before the first test
 */
export function settingsFixture(onOpen: (app: TestApp) => void) {
  let purser: TestApp;
  const cookies = { renee: '', theo: '', maya: '' };
  type Who = keyof typeof cookies;
  beforeAll(async () => {
    purser = await openTestApp();
    onOpen(purser);
    const admin = (firstName: string, lastName: string) =>
      createAdmin(purser.db, purser.services, { firstName, lastName });
    cookies.renee = await purser.cookieOf(await admin('Renee', 'Albright'));
    cookies.theo = await purser.cookieOf(await admin('Theo', 'Marchetti'));
    cookies.maya = await purser.cookieOf(await createEmployee(purser.db, purser.services));
  });
  afterAll(() => purser.close());

  async function ask(who: Who, method: string, body?: object) {
    const response = await purser.ask(method, '/api/admin/settings', {
      cookie: cookies[who],
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: (await response.json()) as SettingsReply };
  }
  const read = async (who: Who = 'renee') => (await ask(who, 'GET')).body;
  const change = async (who: Who, settings: object, version?: number) =>
    ask(who, 'PUT', { version: version ?? (await read()).version, settings });
  return { cookies, ask, read, change };
}
