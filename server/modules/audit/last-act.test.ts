import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIME_ZONE_IDS, zoneOf } from '#contract/time-zones.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createAdmin } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { describeLastAct } from './last-act.ts';
import { recordAudit } from './record.ts';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

test("names the person who last acted on a thing, what they did, and the time in the company's zone", async () => {
  const admin = await createAdmin(opened.db, services, {
    firstName: 'Theo',
    lastName: 'Marchetti',
  });
  const id = newId();
  const subject = { type: 'withdrawal', id };
  await withTx(opened.db, async (tx) => {
    expect(await describeLastAct(tx, subject)).toEqual({});
  });
  for (const action of ['withdrawal.approved', 'withdrawal.rejected', 'withdrawal.looked_at']) {
    await withTx(opened.db, (tx) => {
      recordAudit(tx, {
        by: { actor: admin.by.actor },
        action,
        subjectType: 'withdrawal',
        subjectId: id,
        personId: null,
      });
      return Promise.resolve();
    });
  }
  const { lastAct } = await describeLastAct(opened.db, subject);
  expect(lastAct).toMatch(
    /^Theo Marchetti rejected this on [A-Z][a-z]{2} \d{1,2} at \d{1,2}:\d{2} [AP]M\.$/,
  );
});

test.each(TIME_ZONE_IDS)('names the time of a company in the zone %s', async (timeZone) => {
  const admin = await createAdmin(opened.db, services);
  const subject = { type: 'deposit', id: newId() } as const;
  await opened.db.updateTable('companySettings').set({ timeZone }).execute();
  await withTx(opened.db, (tx) => {
    recordAudit(tx, {
      by: { actor: admin.by.actor },
      action: 'deposit.approved',
      subjectType: subject.type,
      subjectId: subject.id,
      personId: null,
    });
    return Promise.resolve();
  });
  const { at } = await opened.db
    .selectFrom('auditEvent')
    .select('at')
    .where('subjectId', '=', subject.id)
    .executeTakeFirstOrThrow();
  const { lastAct } = await describeLastAct(opened.db, subject);
  const hour = at.toLocaleTimeString('en-US', {
    timeZone: zoneOf(timeZone),
    hour: 'numeric',
    minute: '2-digit',
  });
  expect(lastAct).toContain(`at ${hour.replaceAll('\u202F', ' ')}.`);
});
