import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RouteArguments } from '#contract/api.ts';
import type { PersonalKind } from '#contract/notification-kinds.ts';
import { EMAIL_SWITCHES } from '#contract/notifications.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import type { Mail, Mailer, MailOutcome } from '#server/lib/mailer.ts';
import { createPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { makeDigests } from './digests.ts';
import { changeEmailPreferences } from './email-preferences.ts';
import { notify } from './notify.ts';
import { createSendMail } from './send-mail.ts';
import { createUnsubscribeLinks } from './unsubscribe.ts';

const services = createTestServices();
let opened: TestDb;
let sent: Mail[] = [];
let outcome: MailOutcome = 'sent';
/** Done by others while the worker writes a mail. */
let meanwhile = async (): Promise<void> => undefined;
const warnings: string[] = [];
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());
beforeEach(() => {
  sent = [];
  outcome = 'sent';
  meanwhile = async () => undefined;
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
      resetToken: async () => {
        await meanwhile();
        return 'reset+token';
      },
      welcomeToken: async (email) => (email.startsWith('chosen') ? null : 'welcome+token'),
      confirmationToken: async (email) => (email.startsWith('confirmed') ? null : 'confirm.token'),
      changeToken: async () => 'change+token',
      reportToken: async () => 'report+token',
      noticeToken: async (id) => `notice+${id}`,
      documentsToken: async () => 'documents+token',
      inviteToken: (id) => Promise.resolve(`invite+${id}`),
    },
    unsubscribeLinks: createUnsubscribeLinks({
      secrets: ['a secret of this test'],
      url: 'https://pay.example.com',
    }),
    warn: (sentence) => warnings.push(sentence),
  })({ payload: {}, ...payload });

async function noticeTo(
  userId: string,
  at: Date,
  kind: PersonalKind = 'withdrawal-approved',
  message = 'Your withdrawal of $40.00 <to & "from"> is on its way.',
): Promise<string> {
  await withTx(opened.db, (tx) =>
    notify(tx, userId, {
      kind,
      relatedId: userId,
      message,
      at,
    }),
  );
  const { payload } = await opened.db
    .selectFrom('outbox')
    .select('payload')
    .where('userId', '=', userId)
    .where('kind', '=', 'mail')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return (payload as { notificationId: string }).notificationId;
}

describe('the job that sends mail', () => {
  test('writes a notice as text and as HTML that injected markup cannot break', async () => {
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

  test('sends no link to an address that was taken back while the mail was written', async () => {
    const { id } = await createPerson(opened.db);
    const email = `${newId()}@purser.test`;
    meanwhile = async () => {
      await opened.db.updateTable('appUser').set({ email }).where('id', '=', id).execute();
      meanwhile = async () => undefined;
    };
    await expect(send({ kind: 'reset-password', userId: id })).rejects.toThrow(/was changed/);
    expect(sent).toEqual([]);
    await send({ kind: 'reset-password', userId: id });
    expect(sent.map(({ to }) => to.address)).toEqual([email]);
  });

  test('waits for a change of the address that is under way', async () => {
    const { id } = await createPerson(opened.db);
    const email = `${newId()}@purser.test`;
    const written = Promise.withResolvers<void>();
    meanwhile = async () => written.resolve();
    const changing = withTx(opened.db, async (tx) => {
      await tx.updateTable('appUser').set({ email }).where('id', '=', id).execute();
      const mail = send({ kind: 'reset-password', userId: id });
      mail.catch(() => undefined);
      await written.promise;
      return { mail };
    });
    await expect(changing.then(({ mail }) => mail)).rejects.toThrow(/was changed/);
    expect(sent).toEqual([]);
  });

  test('lets the owner report a security notice as not theirs, and no other notice', async () => {
    const { id } = await createPerson(opened.db);
    for (const kind of ['new-sign-in', 'bank-account-added', 'email-address-changed'] as const) {
      const notificationId = await noticeTo(id, services.clock.now(), kind);
      await send({ kind: 'notification', userId: id, payload: { notificationId } });
      const link = `https://pay.example.com/onboarding?report=notice%2B${notificationId}`;
      const hasLink = kind !== 'email-address-changed';
      expect(sent.at(-1)?.text.includes(`This was not me:\n${link}\n`), kind).toBe(hasLink);
      expect(sent.at(-1)?.html.includes(`href="${link}"`), kind).toBe(hasLink);
    }
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

  test('has no text of a stranger in a mail that anybody can request', async () => {
    const { id } = await createPerson(opened.db, { firstName: 'Win at evil.example' });
    await send({ kind: 'confirm-email', userId: id });
    await send({ kind: 'account-exists', userId: id });
    expect(sent).toHaveLength(2);
    for (const { text, html } of sent) expect(text + html).not.toContain('evil.example');
  });

  describe("obeys the person's preferences", () => {
    const preferences: [
      why: string,
      chosen: RouteArguments<'changeEmailPreferences'>['body'],
      mails: string[],
      gathered: string[],
    ][] = [
      ['nothing chosen', {}, ['Withdrawal Approved', 'Bank account added'], []],
      ['its switch off', { withdrawalUpdates: false }, ['Bank account added'], []],
      [
        'another switch off',
        { depositAlerts: false },
        ['Withdrawal Approved', 'Bank account added'],
        [],
      ],
      ['mail off', { emailEnabled: false }, ['Bank account added'], []],
      [
        'a daily digest',
        { emailFrequency: 'daily' },
        ['Bank account added'],
        ['Withdrawal Approved'],
      ],
      [
        'a digest, its switch off',
        { emailFrequency: 'weekly', withdrawalUpdates: false },
        ['Bank account added'],
        [],
      ],
      [
        'everything off that there is',
        Object.fromEntries(['emailEnabled', ...EMAIL_SWITCHES].map((name) => [name, false])),
        ['Bank account added'],
        [],
      ],
    ];
    test.each(preferences)('%s', async (_why, chosen, mails, gathered) => {
      const person = await createPerson(opened.db);
      const by = { actor: { ...person, role: 'employee', name: 'Maya' } } as const;
      await withTx(opened.db, (tx) => changeEmailPreferences(tx, services, by, chosen));
      for (const kind of ['withdrawal-approved', 'bank-account-added'] as const) {
        const notificationId = await noticeTo(person.id, services.clock.now(), kind);
        await send({ kind: 'notification', userId: person.id, payload: { notificationId } });
      }
      expect(sent.map(({ subject }) => subject)).toEqual(mails);
      const waiting = await opened.db
        .selectFrom('emailDigestItem')
        .innerJoin('notification', 'notification.id', 'notificationId')
        .select('title')
        .where('emailDigestItem.userId', '=', person.id)
        .execute();
      expect(waiting.map(({ title }) => title)).toEqual(gathered);
    });
  });

  test('escapes markup and line breaks in names', async () => {
    const evil = '</p><img src="https://evil.example" onerror="x">\r\nBcc: all@evil.example';
    const person = await createPerson(opened.db, { firstName: evil });
    const letters = [
      { kind: 'reset-password', payload: {} },
      {
        kind: 'notification',
        payload: {
          notificationId: await noticeTo(person.id, services.clock.now(), 'welcome', evil),
        },
      },
    ];
    for (const { kind, payload } of letters) await send({ kind, userId: person.id, payload });
    expect(sent).toHaveLength(2);
    for (const { html, subject } of sent) {
      expect(html).not.toMatch(/<img|onerror="/);
      expect(html).toContain('&lt;img');
      expect(subject).not.toContain('evil');
    }
  });

  test('has an unsubscribe link, except for mails that matter for security', async () => {
    const person = await createPerson(opened.db);
    for (const kind of ['withdrawal-approved', 'bank-account-added', 'two-factor-off'] as const) {
      const notificationId = await noticeTo(person.id, services.clock.now(), kind);
      await send({ kind: 'notification', userId: person.id, payload: { notificationId } });
    }
    await send({ kind: 'password-changed', userId: person.id });
    const [withdrawal, ...security] = sent;
    const url = withdrawal?.unsubscribeUrl ?? '';
    expect(url).toMatch(
      /^https:\/\/pay\.example\.com\/unsubscribe\?token=[\w-]+\.withdrawalUpdates\.[\w-]+$/,
    );
    expect(withdrawal?.text).toContain(url);
    expect(withdrawal?.html).toContain(url);
    expect(security).toHaveLength(3);
    for (const mail of security) {
      expect(mail.unsubscribeUrl).toBeUndefined();
      expect(mail.text).not.toContain('nsubscribe');
    }
  });

  test('writes a digest of the notices still wanted, each with its link', async () => {
    const person = await createPerson(opened.db);
    const by = { actor: { ...person, role: 'employee', name: 'Maya' } } as const;
    const choose = (change: RouteArguments<'changeEmailPreferences'>['body']) =>
      withTx(opened.db, (tx) => changeEmailPreferences(tx, services, by, change));
    await choose({ emailFrequency: 'daily' });
    for (const kind of ['withdrawal-approved', 'welcome'] as const) {
      const notificationId = await noticeTo(person.id, services.clock.now(), kind);
      await send({ kind: 'notification', userId: person.id, payload: { notificationId } });
    }
    const tomorrow = { now: () => new Date(services.clock.now().getTime() + 86_400_000) };
    await makeDigests(opened.db, { clock: tomorrow, timeZone: 'America/New_York' });
    const { id: digestId } = await opened.db
      .selectFrom('emailDigest')
      .select('id')
      .where('userId', '=', person.id)
      .executeTakeFirstOrThrow();
    const sendDigest = () => send({ kind: 'digest', userId: person.id, payload: { digestId } });

    await choose({ emailEnabled: false });
    await sendDigest();
    expect(sent).toEqual([]);
    await choose({ emailEnabled: true });
    await sendDigest();
    // The job runs again, as after a process that was killed before it marked the digest as mailed.
    await sendDigest();
    expect(sent.map(({ subject }) => subject)).toEqual(['Your daily digest: 2 notifications']);
    const [{ text, html } = { text: '', html: '' }] = sent;
    expect(text).toContain('* Withdrawal Approved\n  Your withdrawal of $40.00');
    expect(text).toContain('https://pay.example.com/employee/withdraw?request=');
    expect(text).toContain('https://pay.example.com/employee/notifications');
    expect(html).toContain('&lt;to &amp; &quot;from&quot;&gt;');
    expect(html).not.toContain('<to');
  });

  test('drops mails that are obsolete: old news, a confirmed address, a person who left', async () => {
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

  test('stops for an unknown address, and does not log the address', async () => {
    const { id } = await createPerson(opened.db);
    outcome = 'unknown';
    await send({ kind: 'password-changed', userId: id });
    expect(warnings).toEqual([expect.stringContaining(id)]);
    expect(warnings[0]).not.toContain('@');
  });

  test('sends an invite to the invited address, and names the inviter', async () => {
    const admin = await createPerson(opened.db, { firstName: 'Renee', lastName: 'Abara' });
    const id = newId();
    const at = services.clock.now();
    await opened.db
      .insertInto('adminInvite')
      .values({
        id,
        tokenHash: Buffer.from(id),
        email: 'new@purser.test',
        createdBy: admin.id,
        createdAt: at,
        expiresAt: new Date(at.getTime() + 1_000),
      })
      .execute();
    await send({ kind: 'admin-invite', userId: admin.id, payload: { inviteId: id } });
    expect(sent).toMatchObject([{ to: { name: 'new@purser.test', address: 'new@purser.test' } }]);
    expect(sent[0]?.text).toContain('Renee Abara of My company invites you');
    expect(sent[0]?.text).toContain(`https://pay.example.com/onboarding?invite=invite%2B${id}`);
  });

  test('about a change of address goes to the new one, then to the former one', async () => {
    const { id } = await createPerson(opened.db, { firstName: 'Maya' });
    const emailChangeId = newId();
    const addresses = { formerEmail: 'former@purser.test', email: 'new@purser.test' };
    const at = services.clock.now();
    await withTx(opened.db, (tx) =>
      tx
        .insertInto('emailChange')
        .values({ id: emailChangeId, userId: id, ...addresses, requestedAt: at, expiresAt: at })
        .execute(),
    );
    for (const kind of ['confirm-new-email', 'email-changed']) {
      await send({ kind, userId: id, payload: { emailChangeId } });
    }
    expect(sent).toMatchObject([
      {
        to: { address: 'new@purser.test' },
        link: expect.stringContaining('?email=change%2Btoken'),
      },
      {
        to: { address: 'former@purser.test' },
        text: expect.stringContaining('?notme=report%2Btoken'),
      },
    ]);
  });
});
