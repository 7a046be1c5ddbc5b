import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteInput } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin } from '#test/factories/people.ts';

let purser: TestApp;
let cookie: string;

beforeAll(async () => {
  purser = await openTestApp();
  cookie = await purser.cookieOf(await createAdmin(purser.db, purser.services));
});
afterAll(() => purser.close());

async function change(body: RouteInput<'adminUpdateIdentityRules'>['body']) {
  const response = await purser.ask('PUT', '/api/admin/kyc/rules', { cookie, body });
  return { status: response.status, reply: (await response.json()) as unknown };
}

test('an admin changes the legal age and the retention, on what they saw', async () => {
  const first = await purser.ask('GET', '/api/admin/kyc/rules', { cookie });
  const seen = { minAgeYears: 18, retentionDays: 1_825 };
  expect(await first.json()).toEqual(seen);

  const rules = { minAgeYears: 21, retentionDays: 365 };
  expect(await change({ ...rules, seen })).toEqual({ status: 200, reply: rules });
  expect(await change({ minAgeYears: 16, retentionDays: 1_825, seen })).toMatchObject({
    status: 409,
    reply: { code: 'conflict' },
  });
  // What stays the same leaves no record.
  expect(await change({ ...rules, seen: rules })).toEqual({ status: 200, reply: rules });
  const audits = await purser.db
    .selectFrom('auditEvent')
    .select(['actorRole', 'details'])
    .where('action', '=', 'settings.updated')
    .execute();
  expect(audits).toEqual([
    {
      actorRole: 'admin',
      details: {
        fields: ['kycMinAgeYears', 'kycRetentionDays'],
        before: ['18', '1825'],
        after: ['21', '365'],
      },
    },
  ]);
});

test.each([
  { minAgeYears: 13, retentionDays: 29 },
  { minAgeYears: 26, retentionDays: 3_651 },
  { minAgeYears: 18.5, retentionDays: 30.5 },
])('%o is outside of the limits', async (rules) => {
  const seen = { minAgeYears: 21, retentionDays: 365 };
  expect(await change({ ...rules, seen })).toMatchObject({
    status: 422,
    reply: {
      errors: [
        { path: 'minAgeYears', message: 'Enter an age from 14 to 25 years' },
        { path: 'retentionDays', message: 'Enter a number of days from 30 to 3650' },
      ],
    },
  });
});
