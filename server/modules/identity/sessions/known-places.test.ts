import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { appCode } from '#scripts/app-code.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { cookieHeader, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { noticesOf } from '#test/notices-of.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { until } from '#test/until.ts';
import { networkOf } from '../attempts.ts';
import { changePassword } from '../new-password/change-password.ts';
import type { Call, Identity } from '../identity.ts';
import { mailLinks } from '../mail-links.ts';
import { resetPassword } from '../new-password/reset-password.ts';
import { setUpTwoFactor, turnOnTwoFactor } from '../second-factor/two-factor.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { MAX_SLOWED, SLOW_ANSWER_MS } from '../sign-in/sign-in-slowly.ts';

const services = createTestServices(new Date().toISOString());
const HOME = '198.51.100.4';
const ELSEWHERE = '203.0.113.9';
const WRONG = 'Wrong-password-1';
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services);
});
afterAll(() => opened.close());

const call = (ipAddress: string, cookie = ''): Call => ({
  origin: { requestId: newId(), ipAddress, userAgent: USER_AGENT },
  headers: new Headers({ cookie }),
});

/** A browser, which keeps the cookies it gets. */
function openBrowser(using: Identity = identity) {
  const jar = new Map<string, string>();
  const take = (cookies: readonly string[]) => {
    for (const cookie of cookies) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
  };
  const cookie = () => cookieHeader([...jar].map(([name, value]) => `${name}=${value}`));
  return {
    jar,
    cookie,
    take,
    async signIn(email: string, password = TEST_PASSWORD, ipAddress = HOME) {
      const { cookies } = await signIn(using, call(ipAddress, cookie()), { email, password });
      take(cookies);
      return cookies;
    },
  };
}

/** A wrong password, from a browser without a cookie. */
const guess = (using: Identity, email: string, ipAddress: string) =>
  signIn(using, call(ipAddress), { email, password: WRONG }).catch(({ code }: AppError) => code);

describe('a sign-in', () => {
  test('from a browser that is new is reported to the owner, by mail too; the first ever is not', async () => {
    const person = await createEmployee(opened.db, services);
    const usual = openBrowser();
    await usual.signIn(person.email);
    await usual.signIn(person.email);
    expect(await noticesOf(opened.db, person.id, 'new-sign-in')).toEqual([]);
    await openBrowser().signIn(person.email);
    expect(await noticesOf(opened.db, person.id, 'new-sign-in')).toEqual([
      `You signed in with Chrome on Windows from ${HOME}, a browser that we have not seen before. If this was not you, freeze your payouts and change your password.`,
    ]);
    const mails = await opened.db
      .selectFrom('outbox')
      .select('topic')
      .where('kind', '=', 'mail')
      .where('userId', '=', person.id)
      .execute();
    expect(mails).toEqual([{ topic: 'notification' }]);
  });

  test('from a known browser is reported once for each network', async () => {
    const person = await createEmployee(opened.db, services);
    const usual = openBrowser();
    await usual.signIn(person.email);
    await usual.signIn(person.email, TEST_PASSWORD, '198.51.7.200');
    expect(await noticesOf(opened.db, person.id, 'new-sign-in')).toEqual([]);
    await usual.signIn(person.email, TEST_PASSWORD, ELSEWHERE);
    await usual.signIn(person.email, TEST_PASSWORD, ELSEWHERE);
    expect(await noticesOf(opened.db, person.id, 'new-sign-in')).toEqual([
      expect.stringContaining(`from ${ELSEWHERE}, a network that we have not seen before`),
    ]);
  });

  test('knows both people who use one browser', async () => {
    const [one, other] = [
      await createEmployee(opened.db, services),
      await createEmployee(opened.db, services),
    ];
    const shared = openBrowser();
    for (const { email } of [one, other, one, other]) await shared.signIn(email);
    expect(await noticesOf(opened.db, one.id, 'new-sign-in')).toEqual([]);
    expect(await noticesOf(opened.db, other.id, 'new-sign-in')).toEqual([]);
  });

  test('takes no cookie that another chose, and none that a script could read', async () => {
    const person = await createEmployee(opened.db, services);
    const planted = openBrowser();
    planted.jar.set('purser.browser', 'planted');
    const cookies = await planted.signIn(person.email);
    const own = cookies.find((cookie) => cookie.startsWith('purser.browser='));
    expect(own).toMatch(/Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(planted.jar.get('purser.browser')).not.toBe('planted');
    const secure = createTestIdentity(opened, services, { url: 'https://pay.example.com' });
    const overTls = await openBrowser(secure).signIn(person.email);
    expect(overTls.find((cookie) => cookie.startsWith('__Host-purser.browser='))).toContain(
      'Secure',
    );
  });

  test('after a reset of the password comes from a new browser, whoever knew the former one', async () => {
    const person = await createEmployee(opened.db, services);
    const thief = openBrowser();
    await thief.signIn(person.email);
    const token = (await mailLinks(identity).resetToken(person.email)) ?? '';
    await resetPassword(identity, call(HOME), { token, password: 'A-new-one-2026' });
    await thief.signIn(person.email, 'A-new-one-2026');
    expect(await noticesOf(opened.db, person.id, 'new-sign-in')).toHaveLength(1);
    expect(await noticesOf(opened.db, person.id, 'password-changed')).toEqual([
      'A new password was chosen with a link that we mailed, and everyone was signed out. If this was not you, freeze your payouts and change your password.',
    ]);
  });

  test('after the password was changed is known in the browser that changed it alone', async () => {
    const person = await createEmployee(opened.db, services);
    const [usual, other] = [openBrowser(), openBrowser()];
    await usual.signIn(person.email);
    await other.signIn(person.email);
    const { cookies } = await changePassword(
      identity,
      { ...call(HOME, usual.cookie()), actor: person },
      { currentPassword: TEST_PASSWORD, newPassword: 'A-new-one-2026' },
    );
    usual.take(cookies);
    expect(await noticesOf(opened.db, person.id, 'password-changed')).toEqual([
      'Your password was changed, and everyone signed in with the old one was signed out. If this was not you, freeze your payouts and change your password.',
    ]);
    await usual.signIn(person.email, 'A-new-one-2026');
    expect(await noticesOf(opened.db, person.id, 'new-sign-in')).toHaveLength(1);
    await other.signIn(person.email, 'A-new-one-2026');
    expect(await noticesOf(opened.db, person.id, 'new-sign-in')).toHaveLength(2);
  });
});

describe('the browser that an account began in', () => {
  /** For each session, true if its browser is a new one; those first. */
  const areNew = async ({ id }: TestPerson) => {
    const sessions = await opened.db
      .selectFrom('authSession')
      .select('browserNewUntil')
      .where('userId', '=', id)
      .orderBy('browserNewUntil')
      .execute();
    return sessions.map(({ browserNewUntil }) => browserNewUntil !== null);
  };

  test('is never a new one', async () => {
    const person = await createEmployee(opened.db, services);
    const first = openBrowser();
    for (let times = 0; times < 2; times += 1) {
      await first.signIn(person.email);
      expect(await areNew(person)).toEqual([false]);
    }
    await openBrowser().signIn(person.email);
    expect(await areNew(person)).toEqual([true, false]);
  });

  test('is none once the password was reset, though nobody had signed in before', async () => {
    const person = await createEmployee(opened.db, services);
    const token = (await mailLinks(identity).resetToken(person.email)) ?? '';
    await resetPassword(identity, call(HOME), { token, password: 'A-new-one-2026' });
    const thief = openBrowser();
    for (let times = 0; times < 2; times += 1) {
      await thief.signIn(person.email, 'A-new-one-2026');
      expect(await areNew(person)).toEqual([true]);
    }
    expect(await noticesOf(opened.db, person.id, 'new-sign-in')).toHaveLength(1);
  });

  test('is not the oldest one of those that are still kept', async () => {
    const person = await createEmployee(opened.db, services);
    await openBrowser().signIn(person.email);
    await opened.db.deleteFrom('knownPlace').where('userId', '=', person.id).execute();
    await opened.db.deleteFrom('authSession').where('userId', '=', person.id).execute();
    const thief = openBrowser();
    for (let times = 0; times < 2; times += 1) {
      await thief.signIn(person.email);
      expect(await areNew(person)).toEqual([true]);
    }
  });
});

describe('wrong passwords of strangers', () => {
  const limits = {
    signInToAccount: { attempts: 3, perS: 60 },
    signInToAccountAnywhere: { attempts: 4, perS: 60 },
    wrongPasswordFromAddress: { attempts: 4, perS: 60 },
    signInFromKnownBrowser: { attempts: 2, perS: 60 },
  };
  test('on the owner’s own network and on others do not keep the owner’s browser out', async () => {
    const person = await createEmployee(opened.db, services);
    const strict = createTestIdentity(opened, services, { limits });
    const usual = openBrowser(strict);
    await usual.signIn(person.email);
    const network = '192.0.2.77';
    for (let times = 0; times < 4; times += 1) {
      await guess(strict, person.email, network);
      await guess(strict, person.email, `192.0.3.${times}`);
    }
    expect(await guess(strict, person.email, network)).toBe('too_many_requests');
    await usual.signIn(person.email, TEST_PASSWORD, network);
  });

  test('with a cookie of their own count as those of strangers; the known browser’s are limited, too', async () => {
    const [person, stranger] = [
      await createEmployee(opened.db, services),
      await createEmployee(opened.db, services),
    ];
    const strict = createTestIdentity(opened, services, { limits });
    const [usual, theirs] = [openBrowser(strict), openBrowser(strict)];
    await usual.signIn(person.email, TEST_PASSWORD, '192.0.4.1');
    await theirs.signIn(stranger.email, TEST_PASSWORD, '192.0.4.2');
    const outcome = (browser: typeof usual, ipAddress: string) =>
      browser.signIn(person.email, WRONG, ipAddress).catch((error: { code: string }) => error.code);
    for (const expected of [...Array<string>(3).fill('invalid_credentials'), 'too_many_requests']) {
      expect(await outcome(theirs, '192.0.4.2')).toBe(expected);
    }
    for (const expected of ['invalid_credentials', 'invalid_credentials', 'too_many_requests']) {
      expect(await outcome(usual, '192.0.4.1')).toBe(expected);
    }
  });
});

describe('a person with the right password and a second factor, on the network of an attacker', () => {
  const limits = {
    signInToAccount: { attempts: 2, perS: 60 },
    signInToAccountAnywhere: { attempts: 100, perS: 60 },
    wrongPasswordFromAddress: { attempts: 2, perS: 60 },
  };
  /** Sets two-factor up and answers with codes that work: of the present step, and of the next. */
  async function protect(using: Identity, owner: TestPerson) {
    const usual = openBrowser(using);
    await usual.signIn(owner.email, TEST_PASSWORD, '192.0.5.1');
    const context = { ...call(HOME, usual.cookie()), actor: owner };
    const { reply } = await setUpTwoFactor(using, context, TEST_PASSWORD);
    const codeIn = (seconds: number) =>
      appCode(reply.key, new Date(services.clock.now().getTime() + seconds * 1_000));
    await turnOnTwoFactor(using, context, codeIn(-30));
    return [codeIn(0), codeIn(30)] as const;
  }

  test('is slowed and not refused, and nobody else learns anything of a password', async () => {
    const strict = createTestIdentity(opened, services, { limits });
    const [owner, plain] = [
      await createEmployee(opened.db, services),
      await createEmployee(opened.db, services),
    ];
    const [code, next] = await protect(strict, owner);
    const network = '192.0.5.77';
    for (const { email } of [owner, owner, plain, plain]) await guess(strict, email, network);
    const attempt = async (email: string, password: string, typed?: string) => {
      let waitedMs = 0;
      const wait = async (ms: number) => void (waitedMs += ms);
      const given = { email, password, ...(typed !== undefined && { code: typed }) };
      const own = createTestIdentity(opened, services, { limits, wait });
      const outcome = await signIn(own, call(network), given).then(
        ({ reply }) => reply.user?.id,
        ({ code: refused, message }: AppError) => ({ refused, message }),
      );
      return { outcome, waitedMs };
    };
    const unknown = `${newId()}@purser.test`;
    const refused = {
      outcome: { refused: 'too_many_requests', message: expect.any(String) },
      waitedMs: SLOW_ANSWER_MS,
    };
    expect(
      await Promise.all([
        attempt(owner.email, WRONG, code),
        attempt(owner.email, TEST_PASSWORD, '000000'),
        attempt(plain.email, TEST_PASSWORD, code),
        attempt(unknown, TEST_PASSWORD, code),
      ]),
    ).toEqual([refused, refused, refused, refused]);
    // Without a code the right password is refused as ever.
    expect(await attempt(owner.email, TEST_PASSWORD)).toEqual({ ...refused, waitedMs: 0 });
    expect(await attempt(owner.email, TEST_PASSWORD, code)).toEqual({
      outcome: owner.id,
      waitedMs: SLOW_ANSWER_MS,
    });
    expect(await noticesOf(opened.db, owner.id, 'wrong-code')).toHaveLength(1);
    for (let times = 0; times < 2; times += 1) await guess(strict, owner.email, network);
    // A code works once, and holds no connection longer than the others.
    expect(await attempt(owner.email, TEST_PASSWORD, code)).toEqual(refused);
    expect(await attempt(owner.email, TEST_PASSWORD, next)).toMatchObject({ outcome: owner.id });
  });

  test('gets in while as many guesses as may wait come from another network', async () => {
    const everywhere = { ...limits, signInToAccountAnywhere: { attempts: 2, perS: 60 } };
    const strict = createTestIdentity(opened, services, { limits: everywhere });
    const owner = await createEmployee(opened.db, services);
    const [code] = await protect(strict, owner);
    for (const network of ['192.0.6.77', '192.0.6.1']) {
      for (let times = 0; times < 2; times += 1) await guess(strict, owner.email, network);
    }
    const unknown = { email: `${newId()}@purser.test`, password: WRONG, code: '000000' };
    const release = Promise.withResolvers<void>();
    const refused: string[] = [];
    let waiting = 0;
    const wait = () => {
      waiting += 1;
      return release.promise;
    };
    const slow = createTestIdentity(opened, services, { limits: everywhere, wait });
    const attack = () =>
      signIn(slow, call('192.0.6.77'), unknown).catch((error: AppError) =>
        refused.push(error.code),
      );
    const guesses = Array.from({ length: MAX_SLOWED }, attack);
    await until(() => waiting === MAX_SLOWED);
    await attack();
    expect(refused).toEqual(['too_many_requests']);
    const given = { email: owner.email, password: TEST_PASSWORD, code };
    const immediate = createTestIdentity(opened, services, {
      limits: everywhere,
      wait: () => Promise.resolve(),
    });
    const { reply } = await signIn(immediate, call('192.0.6.2'), given);
    expect(reply.user?.id).toBe(owner.id);
    expect(refused).toHaveLength(1);
    release.resolve();
    await Promise.all(guesses);
    expect(refused).toEqual(Array<string>(MAX_SLOWED + 1).fill('too_many_requests'));
  });
});

test.each([
  [null, null],
  ['198.51.100.4', '198.51'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8'],
  ['2001:db8::1', '2001:db8'],
])('the network of %s is %s', (ipAddress, network) => {
  expect(networkOf(ipAddress)).toBe(network);
});
