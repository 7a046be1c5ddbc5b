import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PayrollPreview, RouteArguments } from '#contract/api.ts';
import type { Problem } from '#contract/errors.ts';
import { money } from '#contract/money.ts';
import { PATHS } from '#contract/paths.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { withTx } from '#server/db/tx.ts';
import { openOwner } from '#test/unguarded.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { retireEverybody, seedEmployees } from '#test/factories/payroll.ts';
import { postPayroll } from './index.ts';

type Order = RouteArguments<'adminPreviewPayroll'>['body'];

const ORDER: Order = {
  walletType: 'salary',
  department: 'all',
  amount: money(192_000n, 'USD'),
  description: 'Biweekly pay',
};
const DAY_MS = 86_400_000;

let purser: TestApp;
let ana: TestPerson;
let cookies: { ana: string; ben: string };

beforeAll(async () => {
  purser = await openTestApp();
  ana = await createAdmin(purser.db, purser.services, { firstName: 'Ana', lastName: 'Ruiz' });
  const ben = await createAdmin(purser.db, purser.services, { firstName: 'Ben', lastName: 'Ode' });
  cookies = { ana: await purser.cookieOf(ana), ben: await purser.cookieOf(ben) };
});
afterAll(() => purser.close());
beforeEach(async () => {
  await retireEverybody(purser.db);
  await sql`UPDATE payroll_batch SET status = 'draft'`.execute(purser.db);
});

const [, previewPath] = PATHS.adminPreviewPayroll;
const [, sendPath] = PATHS.adminSendPayroll;
const [acknowledgeMethod, acknowledgePath] = PATHS.adminAcknowledgePayroll;

/** As the owner, past what keeps the facts of a batch. */
async function changeFacts(change: RawBuilder<unknown>): Promise<void> {
  const owner = openOwner(purser.ownerUrl);
  await withTx(owner.db, async (tx) => {
    await sql`ALTER TABLE payroll_batch DISABLE TRIGGER USER`.execute(tx);
    await change.execute(tx);
    await sql`ALTER TABLE payroll_batch ENABLE TRIGGER USER`.execute(tx);
  });
  await owner.close();
}

/** Sentences of the previews about what was already paid, by the hash of the preview. */
const seen = new Map<string, string | undefined>();

async function preview(changes: Partial<Order> = {}): Promise<PayrollPreview> {
  const body = { ...ORDER, ...changes };
  const response = await purser.ask('POST', previewPath, { cookie: cookies.ana, body });
  expect(response.status).toBe(200);
  const previewed = (await response.json()) as PayrollPreview;
  seen.set(previewed.hash, previewed.alreadyPaid?.hash);
  return previewed;
}

function confirm(previewHash: string, by: 'ana' | 'ben' = 'ana', changes: Partial<Order> = {}) {
  const body = { ...ORDER, ...changes, previewHash, alreadyPaidHash: seen.get(previewHash) };
  return purser.ask('POST', sendPath, { cookie: cookies[by], key: randomUUID(), body });
}

async function statusOf(response: Promise<Response>): Promise<number> {
  return (await response).status;
}

describe('one preview', () => {
  it('is confirmed once, however many confirm it at the same moment', async () => {
    await seedEmployees(purser.db, { count: 300 });
    const { hash } = await preview();
    const admins = ['ana', 'ben', 'ana'] as const;
    const replies = await Promise.all(admins.map((by) => confirm(hash, by)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const { rows } = await sql<{ lines: number }>`
      SELECT count(*)::integer AS lines FROM payroll_line
        JOIN payroll_batch AS batch ON batch.id = batch_id WHERE batch.status <> 'draft'`.execute(
      purser.db,
    );
    expect(rows).toEqual([{ lines: 300 }]);
  });

  it('is refused a second time with the batch sent in between', async () => {
    await seedEmployees(purser.db, { count: 2 });
    const { hash, batchName } = await preview();
    const sent = (await (await confirm(hash)).json()) as { number: string; createdAt: string };
    const refused = await confirm(hash, 'ben');
    expect(refused.status).toBe(409);
    expect((await refused.json()) as Problem).toMatchObject({
      code: 'preview_stale',
      details: {
        number: sent.number,
        name: batchName,
        status: 'processing',
        sentBy: 'Ana Ruiz',
        sentAt: sent.createdAt,
        employees: 2,
        totalMinor: '384000',
        currency: 'USD',
      },
    });
  });

  it('names no batch when it is the people who changed', async () => {
    await seedEmployees(purser.db, { count: 2 });
    const first = await preview();
    expect(await statusOf(confirm(first.hash))).toBe(201);
    const second = await preview();
    await seedEmployees(purser.db, { count: 1 });
    const problem = (await (await confirm(second.hash)).json()) as Problem;
    expect(problem.code).toBe('preview_stale');
    expect(problem.details).toBeUndefined();
  });

  it('may be followed by a fresh one, which pays the same people again on purpose', async () => {
    await seedEmployees(purser.db, { count: 2 });
    const first = await preview();
    expect(await statusOf(confirm(first.hash))).toBe(201);
    const second = await preview();
    expect(second.hash).not.toBe(first.hash);
    expect(await statusOf(confirm(second.hash, 'ben'))).toBe(201);
  });

  it('holds when what was sent since was cancelled', async () => {
    await seedEmployees(purser.db, { count: 2 });
    const { hash } = await preview();
    expect(await statusOf(confirm(hash))).toBe(201);
    await sql`UPDATE payroll_batch SET status = 'draft'`.execute(purser.db);
    expect(await statusOf(confirm(hash))).toBe(201);
  });

  it('does not hold when what was sent before is cancelled: it showed that', async () => {
    await seedEmployees(purser.db, { count: 2 });
    expect(await statusOf(confirm((await preview()).hash))).toBe(201);
    const { hash } = await preview();
    await sql`UPDATE payroll_batch SET status = 'draft'`.execute(purser.db);
    expect(await statusOf(confirm(hash))).toBe(409);
  });
});

describe('a payroll that differs from the last one', () => {
  it('is sent after each group of differences was acknowledged', async () => {
    await seedEmployees(purser.db, { count: 2 });
    const { id } = (await (await confirm((await preview()).hash)).json()) as { id: string };
    await changeFacts(sql`UPDATE payroll_batch SET created_at = ${new Date(Date.now() - DAY_MS)}
                           WHERE id = ${id}`);
    await postPayroll(purser.db, purser.services, id);
    const more = { amount: money(384_000n, 'USD') };
    const { hash, differences } = await preview(more);
    const refused = await confirm(hash, 'ana', more);
    expect((await refused.json()) as Problem).toMatchObject({
      code: 'differences_not_acknowledged',
    });
    for (const { group } of differences?.groups ?? []) {
      const body = { hash, group, isAcknowledged: true };
      const reply = await purser.ask(acknowledgeMethod, acknowledgePath, {
        cookie: cookies.ana,
        body,
      });
      expect((await reply.json()) as object).toMatchObject({ acknowledged: [{ isMine: true }] });
    }
    expect(await statusOf(confirm(hash, 'ana', more))).toBe(201);
  });
});

describe('a batch to people who may be the same', () => {
  const engineering = { department: 'engineering' } as const;
  const hr = { department: 'hr' } as const;
  const savings = { walletType: 'savings' } as const;

  it.each([
    ['all', 'a department', {}, engineering, 409],
    ['a department', 'all', engineering, {}, 409],
    ['a department', 'the same', engineering, engineering, 409],
    ['a department', 'another', engineering, hr, 201],
    ['a type of wallet', 'another', {}, savings, 201],
  ] as const)('%s, then %s: %o, %o', async (_first, _second, sent, then, status) => {
    await seedEmployees(purser.db, { count: 2 });
    await seedEmployees(purser.db, { count: 1, department: 'hr' });
    await seedEmployees(purser.db, { count: 1, walletType: 'savings' });
    const before = await preview(sent);
    const after = await preview(then);
    expect(await statusOf(confirm(before.hash, 'ana', sent))).toBe(201);
    expect(await statusOf(confirm(after.hash, 'ben', then))).toBe(status);
  });

  it('shows in the preview for seven days', async () => {
    await seedEmployees(purser.db, { count: 2 });
    expect(await preview()).toMatchObject({ recentBatch: null, lastTotal: null });
    expect(await statusOf(confirm((await preview()).hash))).toBe(201);
    expect((await preview()).recentBatch).toMatchObject({
      sentBy: 'Ana Ruiz',
      employees: 2,
      total: money(384_000n, 'USD'),
    });
    expect((await preview({ department: 'engineering' })).recentBatch).not.toBeNull();
    const age = async (ms: number) =>
      changeFacts(sql`UPDATE payroll_batch SET created_at = ${new Date(Date.now() - ms)}
                       WHERE status <> 'draft'`);
    await age(7 * DAY_MS - 60_000);
    expect((await preview()).recentBatch).not.toBeNull();
    await age(7 * DAY_MS);
    // Its total can still be compared with, by whom it was sent to alone.
    expect(await preview()).toMatchObject({
      recentBatch: null,
      lastTotal: money(384_000n, 'USD'),
    });
    expect(await preview({ department: 'engineering' })).toMatchObject({ lastTotal: null });
  });

  it('is the one with the newest number, whatever the clocks said', async () => {
    await seedEmployees(purser.db, { count: 2 });
    expect(await statusOf(confirm((await preview()).hash))).toBe(201);
    // As if it had been sent by a process whose clock is ahead.
    await changeFacts(sql`UPDATE payroll_batch SET created_at = now() + interval '1 hour'
                           WHERE status <> 'draft'`);
    const { hash } = await preview();
    expect(await statusOf(confirm(hash))).toBe(201);
    expect(await statusOf(confirm(hash))).toBe(409);
  });
});
