import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import type { Mail, Mailer } from '#server/lib/mailer.ts';
import { createPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { notify } from './notify.ts';
import { createSendMail } from './send-mail.ts';

const services = createTestServices();
let opened: TestDb;
let sent: Mail[] = [];
let outcome: 'sent' | 'refused' = 'sent';
const warnings: string[] = [];
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());
beforeEach(() => {
  sent = [];
  outcome = 'sent';
});

const mailer: Mailer = {
  async send(mail) {
    sent.push(mail);
    return outcome;
  },
  verify: () => Promise.resolve(),
  close: () => undefined,
};

const send = (payload: { kind: string; userId: string; payload?: Record<string, string> }) =>
  createSendMail({
    db: opened.db,
    services,
    mailer,
    url: 'https://pay.example.com',
    readCompanyName: async () => 'My company',
    links: {
      resetToken: async () => 'reset+token',
      welcomeToken: async (email) => (email.startsWith('chosen') ? null : 'welcome+token'),
      confirmationToken: async (email) => (email.startsWith('confirmed') ? null : 'confirm.token'),
    },
    warn: (sentence) => warnings.push(sentence),
  })({ payload: {}, ...payload });

async function noticeTo(userId: string, at: Date): Promise<string> {
  await withTx(opened.db, (tx) =>
    notify(tx, userId, {
      kind: 'withdrawal-approved',
      message: 'Your withdrawal of $40.00 <to & "from"> is on its way.',
      at,
    }),
  );
  const { payload } = await opened.db
    .selectFrom('outbox')
    .select('payload')
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .executeTakeFirstOrThrow();
  return (payload as { notificationId: string }).notificationId;
}

describe('the job that sends mail', () => {
  test('writes a notice as text and as HTML that cannot be broken out of', async () => {
    const person = await createPerson(opened.db, { firstName: 'Maya', lastName: 'Okafor' });
    const notificationId = await noticeTo(person.id, services.clock.now());
    await send({ kind: 'notification', userId: person.id, payload: { notificationId } });
    expect(sent).toMatchObject([
      {
        to: { name: 'Maya Okafor', address: `${person.id}@purser.test` },
        subject: 'Withdrawal Approved',
      },
    ]);
    const [{ text, html } = { text: '', html: '' }] = sent;
    expect(text).toContain('Hi Maya,');
    expect(text).toContain('Your withdrawal of $40.00 <to & "from"> is on its way.');
    expect(text).toContain('https://pay.example.com');
    expect(text).toContain('Purser, for My company');
    expect(html).toContain('&lt;to &amp; &quot;from&quot;&gt;');
    expect(html).not.toContain('<to');
  });

  test.each([
    ['reset-password', 'Choose a new password', '/onboarding?reset=reset%2Btoken'],
    ['confirm-email', 'Confirm your email address', '/onboarding?confirm=confirm.token'],
    ['account-exists', 'You already have an account', '/onboarding'],
    ['password-changed', 'Your password was changed', '/onboarding'],
  ])('writes %s with its link', async (kind, subject, path) => {
    const { id } = await createPerson(opened.db);
    await send({ kind, userId: id });
    const link = `https://pay.example.com${path}`;
    expect(sent).toMatchObject([
      { subject, text: expect.stringContaining(`${link}\n`), html: expect.stringContaining(link) },
    ]);
    expect(sent[0]?.link).toBe(path.includes('?') ? link : undefined);
  });

  test('puts no word of a stranger into what anybody can have sent', async () => {
    const { id } = await createPerson(opened.db, { firstName: 'Win at evil.example' });
    await send({ kind: 'confirm-email', userId: id });
    await send({ kind: 'account-exists', userId: id });
    expect(sent).toHaveLength(2);
    for (const { text, html } of sent) expect(text + html).not.toContain('evil.example');
  });

  test('drops what has become pointless: old news, a confirmed address, a person who left', async () => {
    const person = await createPerson(opened.db, { email: `confirmed-${newId()}@purser.test` });
    const threeDaysAgo = new Date(services.clock.now().getTime() - 3 * 86_400_000);
    const old = await noticeTo(person.id, threeDaysAgo);
    await send({ kind: 'notification', userId: person.id, payload: { notificationId: old } });
    await send({
      kind: 'notification',
      userId: person.id,
      payload: { notificationId: newId() },
    });
    await send({ kind: 'confirm-email', userId: person.id });
    await opened.db
      .updateTable('appUser')
      .set({ deactivatedAt: new Date() })
      .where('id', '=', person.id)
      .execute();
    await send({ kind: 'reset-password', userId: person.id });
    await send({ kind: 'password-changed', userId: newId() });
    expect(sent).toEqual([]);
  });

  test('ends where the address is refused for good, naming no address', async () => {
    const { id } = await createPerson(opened.db);
    outcome = 'refused';
    await send({ kind: 'password-changed', userId: id });
    expect(warnings).toEqual([expect.stringContaining(id)]);
    expect(warnings[0]).not.toContain('@');
  });
});
