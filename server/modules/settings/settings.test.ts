import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { readSettings, updateSettings } from './index.ts';

const services = createTestServices();
let test: TestDb;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

it('has settings from the first start', async () => {
  expect(await readSettings(test.db)).toMatchObject({
    currency: 'USD',
    timeZone: 'America/New_York',
    requireApprovedIdentity: true,
    schedule: null,
    demo: 'none',
  });
});

it('changes what the patch names, keeps the rest, and leaves an audit row', async () => {
  const patch = {
    companyName: 'Tallis & Reed, Inc.',
    timeZoneId: 'pst',
    schedule: { frequency: 'monthly', day: 'last', days: '15_last', firstPayday: null },
  } as const;
  const before = await readSettings(test.db);
  const changed = await withTx(test.db, (tx) =>
    updateSettings(tx, services, { actor: 'system' }, patch),
  );
  const expected = {
    ...before,
    ...patch,
    timeZone: 'America/Los_Angeles',
    version: before.version + 1,
  };
  expect(changed).toEqual(expected);
  expect(await readSettings(test.db)).toEqual(expected);
  const audits = await test.db.selectFrom('auditEvent').select(['action', 'details']).execute();
  expect(audits).toEqual([
    {
      action: 'settings.updated',
      details: {
        fields: ['companyName', 'timeZone', 'payrollFrequency'],
        before: ['"My company"', '"est"', '"none"'],
        after: ['"Tallis & Reed, Inc."', '"pst"', '"monthly"'],
      },
    },
  ]);
  const cleared = await withTx(test.db, (tx) =>
    updateSettings(tx, services, { actor: 'system' }, { schedule: null }),
  );
  expect(cleared.schedule).toBeNull();
});
