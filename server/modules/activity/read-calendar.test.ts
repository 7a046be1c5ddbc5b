import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CALENDAR_FEED_DEFAULTS } from '#contract/calendar-feed.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { PayrollSchedule } from '#server/lib/calendar.ts';
import { calendarFeedHandlers } from '#server/modules/identity/calendar/calendar-feed-routes.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { createStandingBill, scheduleBill } from '#server/modules/payments/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { readCalendar } from './read-calendar.ts';

const services = createTestServices();
let opened: TestDb;
let identity: Identity;
let admin: CommandContext;

// Times lie in the past, because nothing is posted in the future. A Monday.
beforeAll(async () => {
  services.clock.set('2025-12-08T15:00:00.000Z');
  opened = await openTestDb();
  identity = createTestIdentity(opened, services);
  admin = await createPersonBy(opened.db, { role: 'admin' });
  await setSchedule(payrollSchedule({ frequency: 'monthly', day: 'last' }));
});
afterAll(() => opened.close());
beforeEach(() => services.clock.set('2025-12-08T15:00:00.000Z'));

const setSchedule = (schedule: PayrollSchedule | null) =>
  withTx(opened.db, (tx) => updateSettings(tx, services, { actor: 'system' }, { schedule }));

const employee = (fundedMinor = 100_000n) =>
  createPayee(opened.db, services, { admin, fundedMinor });

async function tokenOf(
  { by }: Pick<Payee, 'by'>,
  choices: Partial<typeof CALENDAR_FEED_DEFAULTS> = {},
): Promise<string> {
  const { createCalendarFeed } = calendarFeedHandlers(identity);
  if (createCalendarFeed.kind !== 'command') throw new Error('no command');
  const { address } = await withTx(opened.db, (tx) =>
    createCalendarFeed.run(
      tx,
      {
        ...by,
        origin: { requestId: '', ipAddress: null, userAgent: null },
        headers: new Headers(),
      },
      { body: { ...CALENDAR_FEED_DEFAULTS, ...choices } },
    ),
  );
  return /\/calendars\/(.+)\.ics$/.exec(address)?.[1] ?? '';
}

const read = (token: string) =>
  readCalendar({ db: opened.db, services, attempts: identity.attempts }, token);

/** Its events as `2025-12-31 to 2026-01-01: Payday`; the end is the day after the last. */
async function eventsOf(token: string): Promise<string[]> {
  const text = (await read(token)) ?? '';
  return [
    ...text.matchAll(/DTSTART;VALUE=DATE:(\d+)\r\nDTEND;VALUE=DATE:(\d+)\r\nSUMMARY:(.*)\r\n/g),
  ].map(([, from, to, words]) => `${from} to ${to}: ${words}`);
}

describe('the calendar of a person', () => {
  test('has the paydays of a year, by the company’s schedule', async () => {
    const events = await eventsOf(await tokenOf(await employee()));
    expect(events).toHaveLength(12);
    expect(events.slice(0, 3)).toEqual([
      '20251231 to 20260101: Payday',
      // January 31 and February 28 are on weekends.
      '20260130 to 20260131: Payday',
      '20260227 to 20260228: Payday',
    ]);
    expect(events.at(-1)).toBe('20261130 to 20261201: Payday');
  });

  test('still has today’s payday on the day itself', async () => {
    services.clock.set('2025-12-31T15:00:00.000Z');
    const [first] = await eventsOf(await tokenOf(await employee()));
    expect(first).toBe('20251231 to 20260101: Payday');
  });

  test('has no payday without a schedule', async () => {
    await setSchedule(null);
    expect(await eventsOf(await tokenOf(await employee()))).toEqual([]);
    await setSchedule(payrollSchedule({ frequency: 'monthly', day: 'last' }));
  });

  test('has what is on its way, between which days it should arrive, while it is', async () => {
    const maya = await employee();
    const token = await tokenOf(maya, { arrivalWords: 'Rent money' });
    const asked = { payee: maya, admin, amountMinor: 5_000n, input: { urgency: 'low' } } as const;
    await withdrawalIn(opened.db, services, { ...asked, status: 'approved' });
    await withdrawalIn(opened.db, services, { ...asked, status: 'completed' });
    expect((await eventsOf(token)).filter((event) => event.includes('Rent'))).toEqual([
      '20251211 to 20251216: Rent money',
    ]);
    const without = await tokenOf(maya, { arrivalWords: 'Rent money', hasArrivals: false });
    expect((await eventsOf(without)).filter((event) => event.includes('Rent'))).toEqual([]);
  });

  test('has bills, and the next of a standing one, where the person chose it', async () => {
    const maya = await employee();
    const payeeId = await outsidePayee(opened.db, services, maya.by);
    const bill = { walletId: maya.wallet.id, payeeId, amount: money(700n, 'USD'), memo: 'Fiber' };
    await withTx(opened.db, async (tx) => {
      await scheduleBill(tx, services, maya.by, { ...bill, payOn: '2025-12-19', dueOn: null });
      await createStandingBill(tx, services, maya.by, {
        ...bill,
        frequency: 'monthly',
        startsOn: '2026-01-15',
        endsOn: null,
      });
    });
    const isBill = (event: string) => event.endsWith('Bill is paid');
    expect((await eventsOf(await tokenOf(maya))).filter(isBill)).toEqual([]);
    expect((await eventsOf(await tokenOf(maya, { hasBills: true }))).filter(isBill)).toEqual([
      '20251219 to 20251220: Bill is paid',
      '20260115 to 20260116: Bill is paid',
    ]);
  });

  test('has days and the person’s words, and no amount, name, number or id', async () => {
    const maya = await employee();
    const { id } = await withdrawalIn(opened.db, services, {
      payee: maya,
      admin,
      status: 'pending',
    });
    const text = (await read(await tokenOf(maya))) ?? '';
    const [, events = ''] = /(BEGIN:VEVENT.*END:VEVENT\r\n)END:VCALENDAR/s.exec(text) ?? [];
    expect(events).not.toBe('');
    // Nothing is left when all that may be there is taken away.
    const rest = events
      .replaceAll(/^(BEGIN|END):VEVENT\r\n/gm, '')
      .replaceAll(/^UID:[0-9a-f]{32}@purser\r\n/gm, '')
      .replaceAll(/^(DTSTAMP:20251208T000000Z|DT(START|END);VALUE=DATE:\d{8})\r\n/gm, '')
      .replaceAll(/^SUMMARY:(Payday|Money arrives)\r\n/gm, '')
      .replaceAll(/^(CLASS:PRIVATE|TRANSP:TRANSPARENT)\r\n/gm, '');
    expect(rest).toBe('');
    for (const secret of [id, maya.by.actor.id]) {
      expect(text.replaceAll('-', '')).not.toContain(secret.replaceAll('-', ''));
    }
  });

  test('has nothing of another person, and other ids for the same day', async () => {
    const [maya, luca] = [await employee(), await employee()];
    await withdrawalIn(opened.db, services, { payee: luca, admin, status: 'pending' });
    const ofMaya = (await read(await tokenOf(maya))) ?? '';
    const ofLuca = (await read(await tokenOf(luca))) ?? '';
    expect(ofMaya).not.toContain('Money arrives');
    const uids = (text: string) => text.match(/UID:\S+/g) ?? [];
    expect(new Set([...uids(ofMaya), ...uids(ofLuca)]).size).toBe(12 + 13);
  });

  test('is the same text until something changes, or the day does', async () => {
    const token = await tokenOf(await employee());
    const before = await read(token);
    services.clock.set('2025-12-08T20:00:00.000Z');
    expect(await read(token)).toBe(before);
    services.clock.set('2025-12-09T15:00:00.000Z');
    expect(await read(token)).not.toBe(before);
  });
});
