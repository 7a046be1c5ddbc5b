import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteName } from '#contract/api.ts';
import { PATHS } from '#contract/paths.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import { mailLinks } from './mail-links.ts';

let purser: TestApp;
beforeAll(async () => {
  purser = await openTestApp({ limits: { wrongLinkFromAddress: { attempts: 2, perS: 60 } } });
});
afterAll(() => purser.close());

async function open(name: RouteName, token: string): Promise<number> {
  const [method, path] = PATHS[name];
  return (await purser.ask(method, path, { body: { token } })).status;
}

async function resetToken(): Promise<string> {
  const { email } = await createEmployee(purser.db, purser.services);
  return (await mailLinks(purser.identity).resetToken(email)) ?? '';
}

/** Token of the mail to a person whose password was changed. */
async function noticeToken(): Promise<string> {
  const person = await createEmployee(purser.db, purser.services);
  await purser.ask(...PATHS.changePassword, {
    cookie: await purser.cookieOf(person),
    body: { currentPassword: TEST_PASSWORD, newPassword: 'Taken-over-2026' },
  });
  const { id } = await purser.db
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', person.id)
    .where('kind', '=', 'password-changed')
    .executeTakeFirstOrThrow();
  return (await mailLinks(purser.identity).noticeToken(id)) ?? '';
}

describe('links that people of one network open', () => {
  test('work, however many they are', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect(await open('openPasswordLink', await resetToken())).toBe(200);
    }
  });

  test('are counted where they are wrong; a valid one still works, as the emergency brake does', async () => {
    expect(await open('openPasswordLink', 'made-up')).toBe(410);
    expect(await open('reportNotice', 'made-up')).toBe(410);
    const refused = await purser.ask(...PATHS.openPasswordLink, { body: { token: 'made-up' } });
    expect(await refused.json()).toMatchObject({
      code: 'too_many_requests',
      title: 'Too many attempts. Please try again in 1 minute.',
    });
    expect(await open('openPasswordLink', await resetToken())).toBe(200);
    expect(await open('reportNotice', await noticeToken())).toBe(200);
  });
});
