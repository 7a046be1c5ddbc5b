import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WEBHOOK_SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { WEBHOOK_EVENT_IDS } from '#contract/webhooks.ts';
import { withTx } from '#server/db/tx.ts';
import { relayBatch } from '#server/events/relay.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { listDeliveries, redeliver, testWebhook } from './deliveries.ts';
import { createWebhook, removeWebhook, rotateSecret } from './endpoints.ts';
import type { Answer, Post } from './post.ts';
import { sendWebhooks } from './send-webhooks.ts';
import { signedHeaders } from './sign.ts';

const services = createTestServices();
let opened: TestDb;
let admin: TestPerson;
beforeAll(async () => {
  opened = await openTestDb();
  admin = await createAdmin(opened.db, services);
});
afterAll(() => opened.close());

/** Messages that the receiver was sent, and its answers. */
let received: Post[];
let answer: (message: Post) => Answer;
let endpointId: string;
let secret: string;
const by = () => ({ actor: admin });
beforeEach(async () => {
  received = [];
  answer = () => ({ status: 204 });
  services.clock.set(new Date().toISOString());
  const made = await withTx(opened.db, (tx) =>
    createWebhook(tx, services, by(), {
      url: 'https://hooks.example/in',
      events: WEBHOOK_EVENT_IDS,
    }),
  );
  ({ id: endpointId, secret } = made);
});

/** Records an act of the catalogue. */
const happens = (action: string, subjectId: string, details: Record<string, string> = {}) =>
  withTx(opened.db, (tx) =>
    recordAudit(tx, { by: by(), action, subjectType: 'withdrawal', subjectId, details }),
  );
const send = (id = endpointId) =>
  sendWebhooks(
    {
      db: opened.db,
      services,
      send: (message) => {
        received.push(message);
        return Promise.resolve(answer(message));
      },
    },
    { endpointId: id },
  );
const pass = (ms: number) =>
  services.clock.set(new Date(services.clock.now().getTime() + ms).toISOString());
const bodies = () =>
  received.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
const types = () => bodies().map(({ type }) => type);
const log = async () => (await listDeliveries(opened.db, endpointId)).items;
const newest = async () => (await log())[0];
const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];

describe('an event', () => {
  test('is sent signed, with ids and facts and without account numbers', async () => {
    const payee = await createPayee(opened.db, services, { admin: admin.by });
    await withdrawalIn(opened.db, services, { payee, admin: admin.by, status: 'completed' });
    await send();
    expect(types()).toEqual(
      expect.arrayContaining(['withdrawal.requested', 'withdrawal.completed']),
    );
    const sent = received.find(({ body }) => body.includes('withdrawal.requested'));
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      type: 'withdrawal.requested',
      timestamp: expect.any(String),
      data: {
        subjectType: 'withdrawal',
        subjectId: expect.any(String),
        personId: payee.by.actor.id,
        reference: expect.any(String),
        amountMinor: expect.stringMatching(/^\d+$/),
        currency: 'USD',
      },
    });
    const { body = '', headers = {} } = sent ?? {};
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    expect(headers).toEqual(signedHeaders([secret], { id: headers['webhook-id'] ?? '', body, at }));
    for (const message of received) expect(message.body).not.toMatch(/\d{4}.*last4|name/i);
  });

  test('requests the job to send it, only if its transaction commits', async () => {
    await expect(
      withTx(opened.db, async (tx) => {
        recordAudit(tx, {
          by: by(),
          action: 'withdrawal.approved',
          subjectType: 'withdrawal',
          subjectId: one,
        });
        await Promise.reject(new Error('rolled back'));
      }),
    ).rejects.toThrow('rolled back');
    expect(await log()).toEqual([]);
    await happens('withdrawal.approved', one);
    await happens('access.refused', one);
    expect((await log()).map(({ event }) => event)).toEqual(['withdrawal.approved']);
    const waiting = await opened.db.selectFrom('outbox').select('payload').execute();
    expect(waiting).toContainEqual({ payload: { endpointId } });
    await relayBatch(opened.db);
  });

  test("is sent in order for each thing; a refused one holds back only that thing's", async () => {
    await happens('withdrawal.requested', one);
    await happens('withdrawal.approved', one);
    await happens('withdrawal.requested', two);
    answer = ({ body }) => ({ status: body.includes(one) ? 500 : 200 });
    await send();
    expect(types()).toEqual(['withdrawal.requested']);
    // The endpoint pauses for a moment, then the other thing is sent.
    await send();
    expect(received).toHaveLength(1);
    pass(LIMITS.webhooks.restMs + 1);
    answer = () => ({ status: 200 });
    await send();
    expect(bodies().map(({ type, data }) => [type, data['subjectId']])).toEqual([
      ['withdrawal.requested', one],
      ['withdrawal.requested', one],
      ['withdrawal.approved', one],
      ['withdrawal.requested', two],
    ]);
    // The second attempt was the same message.
    expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
  });

  test('is sent by only one of two senders', async () => {
    await happens('withdrawal.requested', one);
    await Promise.all([send(), send()]);
    expect(received).toHaveLength(1);
  });

  test('is retried with growing delays, for days, then given up', async () => {
    answer = () => ({ problem: 'No answer in time' });
    await happens('withdrawal.requested', one);
    for (const waitMs of LIMITS.webhooks.waitsMs) {
      await send();
      expect(await newest()).toMatchObject({ status: 'waiting', problem: 'No answer in time' });
      pass(waitMs - 1);
      await send();
      pass(1);
    }
    await send();
    expect(received).toHaveLength(LIMITS.webhooks.waitsMs.length + 1);
    expect(await newest()).toMatchObject({ status: 'failed', nextAttemptAt: null });
    const days = LIMITS.webhooks.waitsMs.reduce((sum, ms) => sum + ms, 0) / 86_400_000;
    expect(days).toBeGreaterThan(3);
  });

  test('is sent again after its sender was killed', async () => {
    await happens('withdrawal.requested', one);
    const killed = sendWebhooks(
      { db: opened.db, services, send: () => Promise.reject(new Error('killed')) },
      { endpointId },
    );
    await expect(killed).rejects.toThrow('killed');
    await send();
    expect(received).toEqual([]);
    pass(LIMITS.webhooks.lostAfterMs);
    await send();
    expect(types()).toEqual(['withdrawal.requested']);
  });
});

describe('an admin', () => {
  test('sends a test, and a message again under its own id', async () => {
    await withTx(opened.db, (tx) => testWebhook(tx, services, by(), endpointId));
    await send();
    expect(types()).toEqual(['webhook.test']);
    const { id = '' } = (await newest()) ?? {};
    await withTx(opened.db, (tx) => redeliver(tx, services, by(), id));
    await expect(
      withTx(opened.db, (tx) => redeliver(tx, services, by(), id)),
    ).rejects.toMatchObject({ code: 'webhook_delivery_waiting' });
    await send();
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  });

  test('rotates the secret: both sign for a day, then only the new one', async () => {
    const rotated = await withTx(opened.db, (tx) => rotateSecret(tx, services, by(), endpointId));
    const signaturesNow = async () => {
      await withTx(opened.db, (tx) => testWebhook(tx, services, by(), endpointId));
      await send();
      const { headers = {}, body = '' } = received.at(-1) ?? {};
      const at = services.clock.now();
      const signedBy = (secrets: string[]) =>
        signedHeaders(secrets, { id: headers['webhook-id'] ?? '', body, at })['webhook-signature'];
      return { signature: headers['webhook-signature'], signedBy };
    };
    const during = await signaturesNow();
    expect(during.signature).toBe(during.signedBy([rotated.secret, secret]));
    pass(WEBHOOK_SECRET_OVERLAP_HOURS * 3_600_000);
    const after = await signaturesNow();
    expect(after.signature).toBe(after.signedBy([rotated.secret]));
  });

  test('removes it: waiting messages are not sent, and no new ones are added', async () => {
    await happens('withdrawal.requested', one);
    await withTx(opened.db, (tx) => removeWebhook(tx, services, by(), endpointId));
    await happens('withdrawal.approved', one);
    await send();
    expect(received).toEqual([]);
  });

  test('finds no secret in the database or the audit trail', async () => {
    const rows = await opened.db.selectFrom('webhookEndpoint').selectAll().execute();
    const acts = await opened.db.selectFrom('auditEvent').select('details').execute();
    const text = JSON.stringify([
      rows.map((row) => ({ ...row, secretEncrypted: row.secretEncrypted.toString('latin1') })),
      acts,
    ]);
    expect(text).not.toContain(secret.slice(6));
  });
});
