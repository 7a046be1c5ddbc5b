import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { appCode } from '#scripts/app-code.ts';
import { openTestApp } from './app.ts';
import type { TestApp } from './app.ts';
import { cookieAfter, createEmployee, TEST_PASSWORD } from './factories/people.ts';
import type { TestPerson } from './factories/people.ts';
import { expectSoundBooks } from './sound-books.ts';

interface Reply {
  status: number;
  body: Record<string, unknown>;
  cookie: string;
}
/** The person who signs in, another one for each test, and their cookie. */
interface Me {
  person: TestPerson;
  cookie: string;
}

/**
 * A person who turns two-factor on and signs in with it, for the tests of one file. After each test the books are sound.
 *
 * @param onOpen given the app, before the first test
 */
export function twoFactorFixture(onOpen: (app: TestApp) => void) {
  let purser: TestApp;
  const me = {} as Me;
  beforeAll(async () => {
    purser = await openTestApp();
    onOpen(purser);
  });
  afterEach(() => expectSoundBooks(purser.db));
  afterAll(() => purser.close());
  beforeEach(async () => {
    me.person = await createEmployee(purser.db, purser.services);
    me.cookie = await purser.cookieOf(me.person);
  });

  async function post(path: string, body: object, as: string = me.cookie): Promise<Reply> {
    const reply = await purser.ask('POST', `/api/${path}`, { cookie: as, body });
    return {
      status: reply.status,
      body: (await reply.json()) as Record<string, unknown>,
      cookie: cookieAfter(as, reply.headers.getSetCookie()),
    };
  }
  const get = async (path: string, as: string = me.cookie) =>
    (await (await purser.ask('GET', `/api/${path}`, { cookie: as })).json()) as Record<
      string,
      unknown
    >;

  /** Sets two-factor up; the cookie is the renewed one from then on. */
  async function turnOn(): Promise<{ key: string; recoveryCodes: string[] }> {
    const { body } = await post('auth/two-factor', { password: TEST_PASSWORD });
    const made = body as { key: string; recoveryCodes: string[] };
    // The code before this one is taken too, and leaves those of now and next for the test.
    const before = () => ({ code: appCode(made.key, new Date(Date.now() - 30_000)) });
    let on = await post('auth/two-factor/on', before());
    // A step of 30 s may end between the code and its check, which is then of the step before the last.
    if (on.status === 422) on = await post('auth/two-factor/on', before());
    expect(on.body).toEqual({ ok: true });
    me.cookie = on.cookie;
    return made;
  }
  const signIn = () =>
    post('auth/sign-in', { email: me.person.email, password: TEST_PASSWORD }, 'theme=dark');
  const second = (challenge: string, code: string) =>
    post('auth/second-factor', { code }, challenge);
  const actions = async () => {
    const rows = await purser.db
      .selectFrom('auditEvent')
      .select('action')
      .where('personId', '=', me.person.id)
      .orderBy('id')
      .execute();
    return rows.map(({ action }) => action);
  };
  const notices = async () => {
    const rows = await purser.db
      .selectFrom('notification')
      .select(['title', 'message'])
      .where('userId', '=', me.person.id)
      .where('type', '=', 'security')
      .execute();
    return rows;
  };
  return { me, post, get, turnOn, signIn, second, actions, notices };
}
