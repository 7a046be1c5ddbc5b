import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson } from '#test/factories/people.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import { TEST_SECRET } from '#test/factories/identity.ts';
import type { TestApp } from '#test/app.ts';
import { readEmailPreferences } from './email-preferences.ts';
import { createUnsubscribeLinks } from './unsubscribe.ts';
import type { Unsubscribed } from './unsubscribe.ts';

const links = createUnsubscribeLinks({ secrets: [TEST_SECRET], url: TEST_ORIGIN });
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

function tokenOf(userId: string, what: Unsubscribed): string {
  return new URL(links.urlFor(userId, what)).searchParams.get('token') ?? '';
}

/** Sends the request of a mail program: a form, no cookie, no origin. */
function oneClick(url: string): Promise<Response> {
  return Promise.resolve(
    app.app.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }),
  );
}

const click = (token: string) => app.ask('POST', '/api/unsubscribe', { body: { token } });

test('one click in a mail program switches off the kind of that mail, and nothing else', async () => {
  const { id } = await createPerson(app.db);
  const before = await readEmailPreferences(app.db, id);
  const url = links.urlFor(id, 'depositAlerts');
  for (const response of [await oneClick(url), await oneClick(url)]) {
    expect(response.status).toBe(200);
  }
  expect(await readEmailPreferences(app.db, id)).toEqual({ ...before, depositAlerts: false });
});

test('opening the link changes nothing, because scanners open links', async () => {
  const { id } = await createPerson(app.db);
  const before = await readEmailPreferences(app.db, id);
  await app.app.request(links.urlFor(id, 'emailEnabled'));
  expect(await readEmailPreferences(app.db, id)).toEqual(before);
});

test('the page switches off all mail by the link of a digest', async () => {
  const { id } = await createPerson(app.db);
  const response = await click(tokenOf(id, 'emailEnabled'));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ what: 'emailEnabled' });
  expect((await readEmailPreferences(app.db, id)).emailEnabled).toBe(false);
});

test('a link signed with a former secret still works', () => {
  const former = createUnsubscribeLinks({ secrets: ['former'], url: TEST_ORIGIN });
  const token = new URL(former.urlFor('maya', 'depositAlerts')).searchParams.get('token') ?? '';
  expect(() => links.read(token)).toThrow('link is no longer valid');
  const both = createUnsubscribeLinks({ secrets: [TEST_SECRET, 'former'], url: TEST_ORIGIN });
  expect(both.read(token)).toEqual({ userId: 'maya', what: 'depositAlerts' });
});

describe('a link with a changed character', () => {
  test('is refused, whichever character differs', async () => {
    const { id } = await createPerson(app.db);
    const token = tokenOf(id, 'kycUpdates');
    for (const at of token.split('').keys()) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
      expect(() => links.read(changed), changed).toThrow('link is no longer valid');
    }
    expect(links.read(token)).toEqual({ userId: id, what: 'kycUpdates' });
  });

  test.each([
    ['nothing', () => ''],
    ['another person', (id: string) => tokenOf(id, 'kycUpdates').replace(/^./, 'f')],
    [
      'another switch',
      (id: string) => tokenOf(id, 'kycUpdates').replace('kycUpdates', 'emailEnabled'),
    ],
    ['no switch at all', (id: string) => tokenOf(id, 'role' as Unsubscribed)],
    ['more behind it', (id: string) => `${tokenOf(id, 'kycUpdates')}.more`],
    ['a cut signature', (id: string) => tokenOf(id, 'kycUpdates').slice(0, -1)],
    [
      'the signature of another secret',
      (id: string) =>
        createUnsubscribeLinks({ secrets: ['another'], url: '' })
          .urlFor(id, 'kycUpdates')
          .split('=')[1] ?? '',
    ],
  ])('with %s changes nothing, in either way', async (_what, make) => {
    const { id } = await createPerson(app.db);
    const before = await readEmailPreferences(app.db, id);
    const token = make(id);
    expect((await click(token)).status).toBe(410);
    expect((await oneClick(`${TEST_ORIGIN}/unsubscribe?token=${token}`)).status).toBe(410);
    expect(await readEmailPreferences(app.db, id)).toEqual(before);
  });
});
