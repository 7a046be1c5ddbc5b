import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { DUTY_SETTING_NAMES } from '#contract/duties.ts';
import type { NotificationKind } from '#contract/notification-kinds.ts';
import { money } from '#contract/money.ts';
import { mailLinks } from '#server/modules/identity/index.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { openTestApp } from './app.ts';
import type { TestApp } from './app.ts';
import { createPayee, withdrawalOf } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { createAdmin, TEST_PASSWORD, TEST_PASSWORD_HASH } from './factories/people.ts';
import type { TestPerson } from './factories/people.ts';
import { hoursPass } from './hours-pass.ts';
import { readTaken, readNotified } from './story-outcome.ts';
import type { Measured } from './story-outcome.ts';

/** A JSON reply. `id` is there if the reply is a thing. */
export type Reply = Record<string, unknown> & { id: string };

/** A browser, which keeps the cookies that it gets. */
export interface Browser {
  /**
   * The reply to a request with an Idempotency-Key of its own.
   *
   * @param path below `/api/`
   */
  ask(method: string, path: string, body?: object): Promise<Reply>;
  /** Its cookies by their names, as a thief copies them. */
  readonly cookies: ReadonlyMap<string, string>;
}

/** An employee who can be paid out, and can sign in with TEST_PASSWORD. */
export interface Employee extends Payee {
  id: string;
  email: string;
}

/** A company with three administrators, in which somebody wants money that is not theirs. */
export interface Story extends Pick<TestApp, 'db' | 'services' | 'identity'> {
  renee: TestPerson;
  priya: TestPerson;
  theo: TestPerson;
  /** The reply to a person, in a new session of theirs that is confirmed. */
  ask(who: { id: string }, method: string, path: string, body?: object): Promise<Reply>;
  /** A browser with a session of the person, or with none. */
  browserOf(person?: { id: string }, session?: { isConfirmed?: boolean }): Promise<Browser>;
  /** A browser with cookies of another one. */
  browserWith(cookies: ReadonlyMap<string, string>): Browser;
  /** A browser whose user types address and password. */
  signIn(email: string, password?: string): Promise<Browser>;
  /** The request of a system that holds an API key. */
  askByKey(key: string, method: string, path: string, body?: object): Promise<Reply>;
  /** An employee whose identity was approved and whose bank account was verified long ago. */
  employee(name?: {
    firstName?: string;
    lastName?: string;
    fundedMinor?: bigint;
  }): Promise<Employee>;
  /** Separates every duty from one cent on. */
  separateDuties(): Promise<void>;
  /**
   * The story begins: money, time and notifications count from now on.
   *
   * @param thieves whose wallets count as taken, and whose notifications as known to nobody else
   */
  begin(...thieves: readonly { id: string }[]): Promise<void>;
  /** Somebody else is one of them, too. */
  joinThieves(person: { id: string }): void;
  /** Lets that many hours pass for everything that waits. */
  hoursPass(hours: number): Promise<void>;
  /** Money that was taken since the beginning, the time it took, and who was notified. */
  outcome(): Promise<Measured>;
  close(): Promise<void>;
}

/** Opens the company. Money waits for a day before it goes to a new bank account, as in every new company. */
export async function openStory(): Promise<Story> {
  const purser = await openTestApp();
  const { db, services } = purser;
  await db.updateTable('companySettings').set({ payoutCoolingHours: 24 }).execute();
  const administrator = (firstName: string) =>
    createAdmin(db, services, { firstName, lastName: 'Nair' });
  const [renee, priya, theo] = [
    await administrator('Renee'),
    await administrator('Priya'),
    await administrator('Theo'),
  ];
  const thieves = new Set<string>();
  let startedAt = new Date();
  let passedHours = 0;
  let before = { leftMinor: 0n, insideMinor: 0n };

  const browserWith: Story['browserWith'] = (cookies) => {
    const jar = new Map(cookies);
    return {
      cookies: jar,
      async ask(method, path, body) {
        const reply = await purser.ask(method, `/api/${path}`, {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          key: randomUUID(),
          ...(body !== undefined && { body }),
        });
        keepCookies(jar, reply.headers.getSetCookie());
        return (await reply.json()) as Reply;
      },
    };
  };
  const browserOf: Story['browserOf'] = async (person, session) => {
    const jar = new Map<string, string>();
    const cookie = person === undefined ? 'theme=dark' : await purser.cookieOf(person, session);
    keepCookies(jar, cookie.split('; '));
    return browserWith(jar);
  };

  const ask: Story['ask'] = async (who, method, path, body) =>
    (await browserOf(who)).ask(method, path, body);

  return {
    db,
    services,
    identity: purser.identity,
    renee,
    priya,
    theo,
    ask,
    browserOf,
    browserWith,
    async signIn(email, password = TEST_PASSWORD) {
      const browser = await browserOf();
      await browser.ask('POST', 'auth/sign-in', { email, password });
      return browser;
    },
    async askByKey(apiKey, method, path, body) {
      const reply = await purser.ask(method, `/api/${path}`, {
        headers: { authorization: `Bearer ${apiKey}`, origin: null },
        key: randomUUID(),
        ...(body !== undefined && { body }),
      });
      return (await reply.json()) as Reply;
    },
    async employee(name = {}) {
      const payee = await createPayee(db, services, { admin: theo.by, fundedMinor: 0n, ...name });
      const account = { userId: payee.by.actor.id, password: TEST_PASSWORD_HASH };
      await db.insertInto('authAccount').values(account).execute();
      await hoursPass(purser, 1_000);
      return { ...payee, id: payee.by.actor.id, email: `${payee.by.actor.id}@purser.test` };
    },
    async separateDuties() {
      const { version } = await ask(renee, 'GET', 'admin/settings');
      const settings = Object.fromEntries(
        Object.values(DUTY_SETTING_NAMES).map((name) => [name, money(1n, 'USD')]),
      );
      const { values } = await ask(renee, 'PUT', 'admin/settings', { version, settings });
      expect(values).toMatchObject(settings);
    },
    async begin(...people) {
      for (const { id } of people) thieves.add(id);
      before = await readTaken(db, [...thieves]);
      startedAt = new Date();
    },
    joinThieves: ({ id }) => void thieves.add(id),
    async hoursPass(hours) {
      await hoursPass(purser, hours);
      passedHours += hours;
    },
    async outcome() {
      const now = await readTaken(db, [...thieves]);
      return {
        leftMinor: now.leftMinor - before.leftMinor,
        insideMinor: now.insideMinor - before.insideMinor,
        hours: passedHours + Math.floor((Date.now() - startedAt.getTime()) / HOUR_MS),
        notified: await readNotified(db, { startedAt, thieves }),
      };
    },
    close: () => purser.close(),
  };
}

const HOUR_MS = 3_600_000;

/** Reply to an act that takes somebody else. */
export const SOMEBODY_ELSE = { code: 'second_person_needed' };
/** Mailbox and password of whoever takes an account over. */
export const TAKEN = { email: 'nora@elsewhere.test', password: 'Taken-over-2026' };

function keepCookies(jar: Map<string, string>, cookies: readonly string[]): void {
  for (const cookie of cookies) {
    const [pair = ''] = cookie.split(';');
    const [name = ''] = pair.split('=');
    jar.set(name, pair.slice(name.length + 1));
  }
}

/** Sends a payroll that pays everybody of a department as much, as seen. */
export async function sendPayroll(
  story: Story,
  who: { id: string },
  { minor, department = 'all' }: { minor: bigint; department?: string },
): Promise<Reply> {
  const order = {
    walletType: 'salary',
    department,
    description: 'Pay',
    amount: money(minor, 'USD'),
  };
  const preview = await story.ask(who, 'POST', 'admin/payroll/preview', order);
  const { hash, alreadyPaid } = preview;
  await acknowledge(story, who, preview);
  const seen = alreadyPaid as { hash: string } | null;
  const confirmed = { ...order, previewHash: hash, alreadyPaidHash: seen?.hash };
  return story.ask(who, 'POST', 'admin/payroll/batches', confirmed);
}

/** Acknowledges every difference to the last payroll of a preview or a batch. */
async function acknowledge(
  story: Story,
  who: { id: string },
  { hash, differences }: Partial<Record<string, unknown>>,
): Promise<void> {
  const differing = differences as { groups: { group: string }[] } | null | undefined;
  for (const { group } of differing?.groups ?? []) {
    const body = { hash, group, isAcknowledged: true };
    await story.ask(who, 'PUT', 'admin/payroll/acknowledgements', body);
  }
}

/** Pays one employee from payroll funding, if nobody else has to approve it. */
export async function fund(
  story: Story,
  who: { id: string },
  { by: { actor }, wallet }: Payee,
  minor: bigint,
): Promise<Reply> {
  const path = `admin/funding/employees/${actor.id}`;
  const { paid } = await story.ask(who, 'GET', path);
  return story.ask(who, 'POST', path, {
    type: 'bonus',
    walletId: wallet.id,
    amount: money(minor, 'USD'),
    description: '',
    alreadyPaidHash: (paid as { hash: string } | null)?.hash,
  });
}

/** Approves a payroll or funding that waits, with its differences to the last one acknowledged. It is then paid. */
export async function approvePay(story: Story, who: { id: string }, { id }: Reply): Promise<Reply> {
  await acknowledge(
    story,
    who,
    await story.ask(who, 'GET', `admin/payroll/batches/${id}/differences`),
  );
  const approved = await story.ask(who, 'POST', `admin/payroll/batches/${id}/approve`);
  await postPayroll(story.db, story.services, id);
  return approved;
}

/** Pays a colleague in a browser where the payer is signed in. */
export const payColleague = (
  browser: Browser,
  { from, to, minor }: { from: Employee; to: Employee; minor: bigint },
): Promise<Reply> =>
  browser.ask('POST', 'payments/people', {
    walletId: from.wallet.id,
    recipientId: to.id,
    amount: money(minor, 'USD'),
  });

/** The payee asks for that much at their bank account. */
export const askForPayout = (story: Story, payee: Payee, minor: bigint): Promise<Reply> =>
  story.ask(payee.by.actor, 'POST', 'withdrawals', withdrawalOf(payee, minor));

/** Does an act on a withdrawal. */
export const decidePayout = (
  story: Story,
  who: { id: string },
  { id }: Reply,
  act: 'approve' | 'reject' | 'start-processing' | 'complete' | 'return',
): Promise<Reply> =>
  story.ask(who, 'POST', `admin/withdrawals/${id}/${act}`, {
    ...((act === 'reject' || act === 'return') && { reason: 'Nobody knows them' }),
  });

/** Decisions that wait for administrators, as one of them sees them. */
export const waitingFor = async (story: Story, who: { id: string }): Promise<object[]> =>
  (await story.ask(who, 'GET', 'admin/waiting'))['items'] as object[];

/** The links "this was not me" of the mails about these kinds of events, the oldest first. */
export async function noticeLinks(
  story: Story,
  { id: userId }: { id: string },
  ...kinds: readonly NotificationKind[]
): Promise<(string | null)[]> {
  const notices = await story.db
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', userId)
    .where('kind', 'in', kinds)
    .orderBy('createdAt')
    .execute();
  return Promise.all(notices.map(({ id }) => mailLinks(story.identity).noticeToken(id)));
}

/** Chooses a password by a link in the mail of that person. */
export async function chooseAPassword(
  story: Story,
  { email }: { email: string },
  password: string,
): Promise<Reply> {
  const token = await mailLinks(story.identity).resetToken(email);
  return (await story.browserOf()).ask('POST', 'auth/reset-password', { token, password });
}
