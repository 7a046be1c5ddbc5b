import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEvent } from '#contract/api.ts';
import { AUDIT_THINGS } from '#contract/audit.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

let purser: TestApp;
let renee: TestPerson;
let maya: TestPerson;
let cookie: string;
const deposit = newId();

beforeAll(async () => {
  purser = await openTestApp();
  renee = await createAdmin(purser.db, purser.services, {
    firstName: 'Renee',
    lastName: 'Albright',
  });
  maya = await createEmployee(purser.db, purser.services, {
    firstName: 'Maya',
    lastName: 'Castellanos',
  });
  cookie = await purser.cookieOf(renee);
  const origin = { requestId: newId(), ipAddress: '203.0.113.24', userAgent: 'Firefox/144.0' };
  await withTx(purser.db, (tx) => {
    recordAudit(tx, {
      by: { actor: maya, origin },
      action: 'deposit.requested',
      subjectType: 'deposit',
      subjectId: deposit,
      personId: maya.id,
      details: { reference: 'DEP-1' },
    });
  });
  await withTx(purser.db, (tx) => {
    recordAudit(tx, {
      by: { actor: renee },
      action: 'settings.updated',
      subjectType: 'company_settings',
      subjectId: null,
      details: { fields: ['companyName'], before: ['"A"'], after: ['"=cmd()"'] },
    });
    recordAudit(tx, {
      by: { actor: 'visitor' },
      action: 'session.refused',
      subjectType: 'session',
      subjectId: null,
    });
  });
});
afterAll(() => purser.close());

async function list(query: Record<string, string> = {}) {
  const search = new URLSearchParams({ pageSize: '100', ...query });
  const reply = await purser.ask('GET', `/api/admin/audit?${search.toString()}`, { cookie });
  return (await reply.json()) as {
    items: AuditEvent[];
    next: string | null;
    previous: string | null;
  };
}
const actions = async (query: Record<string, string>) =>
  (await list(query)).items.map(({ action }) => action);

test('every act, newest first, with who did it to whom and from where', async () => {
  const { items } = await list();
  expect(items.map(({ id }) => Number(id))).toEqual(
    items.map(({ id }) => Number(id)).toSorted((one, other) => other - one),
  );
  expect(items.find(({ action }) => action === 'deposit.requested')).toMatchObject({
    role: 'employee',
    by: { id: maya.id, name: 'Maya Castellanos' },
    subjectType: 'deposit',
    subjectId: deposit,
    person: { name: 'Maya Castellanos' },
    details: { reference: 'DEP-1' },
    ipAddress: '203.0.113.24',
  });
  expect(items.find(({ action }) => action === 'session.refused')).toMatchObject({
    role: 'visitor',
    by: null,
    person: null,
    ipAddress: null,
  });
});

describe('is filtered', () => {
  test('by actor, subject, person and thing', async () => {
    expect(await actions({ role: 'visitor' })).toEqual(['session.refused']);
    expect(await actions({ thing: 'settings' })).toEqual(['settings.updated']);
    expect(await actions({ subject: deposit })).toEqual(['deposit.requested']);
    expect(await actions({ thing: 'deposits', subject: deposit })).toEqual(['deposit.requested']);
    expect(await actions({ thing: 'wallets', subject: deposit })).toEqual([]);
    expect(await actions({ by: renee.id, thing: 'settings' })).toEqual(['settings.updated']);
    const ofMaya = await list({ person: maya.id });
    expect(ofMaya.items.every(({ person }) => person?.id === maya.id)).toBe(true);
    expect(ofMaya.items.map(({ action }) => action)).toContain('deposit.requested');
    const found = await list({ search: 'castellanos' });
    expect(found.items).toEqual(ofMaya.items);
  });

  test('by day, in the company’s time zone', async () => {
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format();
    const all = await actions({});
    expect(await actions({ from: today, to: today })).toEqual(all);
    expect(await actions({ from: '2020-01-01' })).toEqual(all);
    expect(await actions({ to: '2020-01-01' })).toEqual([]);
    expect(await actions({ from: '2999-01-01' })).toEqual([]);
  });

  test.each([
    { from: '2026-02-30' },
    { thing: 'everything' },
    { person: 'maya' },
    { search: 'x'.repeat(10_000) },
    { cursor: 'made up' },
  ])('and refuses %j', async (query) => {
    const search = new URLSearchParams(query);
    const reply = await purser.ask('GET', `/api/admin/audit?${search.toString()}`, { cookie });
    expect(reply.status).toBe(422);
  });
});

test('is read page by page, no record twice and none left out', async () => {
  const { items: all } = await list();
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await list({ pageSize: '2', cursor });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next ?? '';
  } while (cursor !== '');
  expect(seen).toEqual(all.map(({ id }) => id));
});

test('one record says its browser, its request and its seal', async () => {
  const [event] = (await list({ subject: deposit })).items;
  const reply = await purser.ask('GET', `/api/admin/audit/${String(event?.id)}`, { cookie });
  expect(await reply.json()).toMatchObject({
    userAgent: 'Firefox/144.0',
    requestId: expect.any(String),
    block: null,
  });
  const unknown = await purser.ask('GET', '/api/admin/audit/999999999999', { cookie });
  expect(unknown.status).toBe(404);
});

test('is exported as it is filtered', async () => {
  const reply = await purser.ask('GET', '/api/admin/audit/export?thing=settings', { cookie });
  const lines = (await reply.text()).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('Record,Time,Time (UTC),Role,Who,Act');
  expect(lines[1]).toContain('settings.updated');
});

test('every kind of thing in the trail has a place in the filter', async () => {
  const known = new Set<string>(Object.values(AUDIT_THINGS).flat());
  const rows = await purser.db.selectFrom('auditEvent').select('subjectType').distinct().execute();
  expect(rows.map(({ subjectType }) => subjectType).filter((type) => !known.has(type))).toEqual([]);
});

test('is for admins alone', async () => {
  const theirs = await purser.cookieOf(maya);
  expect((await purser.ask('GET', '/api/admin/audit', { cookie: theirs })).status).toBe(403);
});
