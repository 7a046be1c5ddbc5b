import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';

let purser: TestApp;
beforeAll(async () => {
  purser = await openTestApp();
});
afterAll(() => purser.close());

test('preferences of another person can be neither read nor changed', async () => {
  const maya = await createEmployee(purser.db, purser.services);
  const cookieOfMaya = await purser.cookieOf(maya);
  const PATH = '/api/email-preferences';
  const preferencesOf = async (cookie: string, query = '') =>
    (await purser.app.request(`${TEST_ORIGIN}${PATH}${query}`, { headers: { cookie } })).json();
  const body = { emailFrequency: 'weekly', depositAlerts: false };
  await purser.ask('PUT', PATH, { cookie: cookieOfMaya, body });
  const chosen = await preferencesOf(cookieOfMaya);
  expect(chosen).toMatchObject(body);

  for (const create of [createEmployee, createAdmin]) {
    const cookie = await purser.cookieOf(await create(purser.db, purser.services));
    const naming = `?userId=${maya.id}&id=${maya.id}`;
    expect(await preferencesOf(cookie, naming)).toMatchObject({ emailFrequency: 'immediate' });
    const change = { emailEnabled: false, userId: maya.id, id: maya.id, user_id: maya.id };
    await purser.ask('PUT', PATH, { cookie, body: change });
    expect(await preferencesOf(cookieOfMaya)).toEqual(chosen);
  }
  expect(await (await purser.ask('GET', PATH)).json()).toMatchObject({ code: 'unauthenticated' });
});
