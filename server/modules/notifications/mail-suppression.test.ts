import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import { withTx } from '#server/db/tx.ts';
import type { Mailer } from '#server/lib/mailer.ts';
import { createMailer } from '#server/providers/mail/index.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { TEST_SECRET } from '#test/factories/identity.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { forgetSuppression } from './mail-suppression.ts';
import { createSendMail } from './send-mail.ts';
import { createUnsubscribeLinks } from './unsubscribe.ts';

let purser: TestApp;
let smtp: SMTPServer;
let mailer: Mailer;
let maya: TestPerson;
let admin: TestPerson;
/** Every address that mail was sent to; the mail server knows those in `known`. */
let asked: string[] = [];
const known = new Set<string>();

beforeAll(async () => {
  purser = await openTestApp();
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      asked.push(address);
      if (known.has(address)) return done();
      return done(Object.assign(new Error('5.1.1 User unknown'), { responseCode: 550 }));
    },
    onData(stream, _session, done) {
      stream.resume().on('end', () => done());
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    publicUrl: TEST_ORIGIN,
    from: null,
    dataDir: '/nowhere',
    log: () => undefined,
  });
});
afterAll(async () => {
  mailer.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
  await purser.close();
});
beforeEach(async () => {
  admin = await createAdmin(purser.db, purser.services);
  maya = await createEmployee(purser.db, purser.services);
  asked = [];
  known.clear();
});

/** A mail of a kind that is sent whatever a person chose. */
const mail = ({ id }: TestPerson) =>
  createSendMail({
    db: purser.db,
    services: purser.services,
    mailer,
    url: TEST_ORIGIN,
    readCompanyName: async () => 'My company',
    links: {
      resetToken: async () => 'token',
      welcomeToken: async () => null,
      confirmationToken: async () => null,
      changeToken: async () => null,
      reportToken: async () => null,
      noticeToken: async () => null,
      documentsToken: async () => null,
      inviteToken: async () => null,
    },
    unsubscribeLinks: createUnsubscribeLinks({ secrets: [TEST_SECRET], url: TEST_ORIGIN }),
    warn: () => undefined,
  })({ kind: 'reset-password', userId: id, payload: {} });

const addressOf = async ({ id }: TestPerson) => {
  const { email } = await purser.db
    .selectFrom('appUser')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return email;
};
const bodyOf = async (path: string, as: TestPerson) =>
  (await (await purser.ask('GET', path, { cookie: await purser.cookieOf(as) })).json()) as Record<
    string,
    unknown
  >;
const isStopped = async () => (await bodyOf('/api/shell', maya))['isMailStopped'];
const resume = async () =>
  (await purser.ask('POST', '/api/mail/resume', { cookie: await purser.cookieOf(maya) })).status;

test('tries an unknown address once, whatever the mails are about', async () => {
  for (let count = 0; count < 3; count += 1) await mail(maya);
  expect(asked).toEqual([await addressOf(maya)]);
  expect(await isStopped()).toBe(true);
  const page = await bodyOf(`/api/admin/employees/${maya.id}`, admin);
  expect(Date.parse(String(page['mailStoppedAt']))).toBeGreaterThan(Date.now() - 60_000);
  expect(await noticesOf(purser.db, admin.id, 'mail-address-refused')).toEqual([
    expect.stringContaining('does not exist'),
  ]);
});

test('two concurrent mails stop it once', async () => {
  await Promise.all([mail(maya), mail(maya)]);
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select('actorRole')
    .where('action', '=', 'mail.stopped')
    .where('subjectId', '=', maya.id)
    .execute();
  expect(rows).toEqual([{ actorRole: 'system' }]);
});

test('an admin resumes it, with an audit row, and mail works again if the address exists', async () => {
  await mail(maya);
  const cookie = await purser.cookieOf(admin);
  const lift = () => purser.ask('POST', `/api/admin/people/${maya.id}/resume-mail`, { cookie });
  expect((await lift()).status).toBe(200);
  expect((await lift()).status).toBe(404);
  expect(await isStopped()).toBe(false);
  known.add(await addressOf(maya));
  await mail(maya);
  await mail(maya);
  expect(asked).toHaveLength(3);
  const row = await purser.db
    .selectFrom('auditEvent')
    .select('actorId')
    .where('action', '=', 'mail.resumed')
    .where('subjectId', '=', maya.id)
    .executeTakeFirst();
  expect(row).toEqual({ actorId: admin.id });
});

test('its owner can resume it a few times an hour, and it stops again if nothing has changed', async () => {
  for (let count = 0; count < HOURLY_LIMITS.mailResumed; count += 1) {
    await mail(maya);
    expect(await isStopped()).toBe(true);
    expect(await resume()).toBe(200);
  }
  await mail(maya);
  expect(await resume()).toBe(429);
  expect(await isStopped()).toBe(true);
});

test('another address is not stopped, and an address that its owner confirmed works again', async () => {
  await mail(maya);
  const address = await addressOf(maya);
  const move = (email: string) =>
    withTx(purser.db, (tx) =>
      tx.updateTable('appUser').set({ email }).where('id', '=', maya.id).execute(),
    );
  known.add('maya.new@purser.test').add(address);
  await move('maya.new@purser.test');
  expect(await isStopped()).toBe(false);
  await mail(maya);
  expect(asked.at(-1)).toBe('maya.new@purser.test');
  await withTx(purser.db, (tx) => forgetSuppression(tx, address));
  await move(address);
  await mail(maya);
  expect(asked.at(-1)).toBe(address);
});
