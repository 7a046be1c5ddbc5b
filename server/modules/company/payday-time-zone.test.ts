import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayrollPreview } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { nextPaydays } from '#server/lib/calendar.ts';
import { postPayroll, previewPayroll, sendPayroll } from '#server/modules/payroll/index.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { seedEmployees } from '#test/factories/payroll.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { accountForPayroll, PAYROLL_AMOUNT_MINOR } from '#test/payroll-fixture.ts';

/** Half an hour into Saturday in New York, and the evening of Friday, a payday, in Los Angeles. */
const AFTER_MIDNIGHT = '2026-12-12T05:30:00.000Z';
const LATER = '2026-12-12T05:40:00.000Z';
const PEOPLE = 3;
const ORDER = {
  walletType: 'salary',
  department: 'all',
  amount: money(PAYROLL_AMOUNT_MINOR, 'USD'),
  description: 'Weekly pay',
} as const;

const services = createTestServices();
let opened: TestDb;
let renee: CommandContext;

beforeAll(async () => {
  opened = await openTestDb();
  services.clock.set(AFTER_MIDNIGHT);
  renee = await createPersonBy(opened.db, { role: 'admin', firstName: 'Renee' });
  await seedEmployees(opened.db, { count: PEOPLE });
  await change({ schedule: payrollSchedule({ frequency: 'weekly' }), payrollCancelSeconds: 300 });
});
afterAll(() => opened.close());

const change = (settings: Parameters<typeof updateSettings>[3]) =>
  withTx(opened.db, (tx) => updateSettings(tx, services, renee, settings));
const paydays = async () =>
  nextPaydays(await readSettings(opened.db), services.clock.now(), 2).map(({ on }) => on);
const preview = () => previewPayroll(opened.db, services, renee, ORDER);
const send = ({ hash, alreadyPaid }: PayrollPreview) =>
  withTx(opened.db, (tx) =>
    sendPayroll(tx, services, renee, {
      ...ORDER,
      previewHash: hash,
      alreadyPaidHash: alreadyPaid?.hash,
    }),
  );

test('a time zone changed on payday moves no payday, and a sent payroll is paid once', async () => {
  expect(await paydays()).toEqual(['2026-12-18', '2026-12-24']);
  const reviewed = await preview();
  const sent = await send(reviewed);
  expect(sent).toMatchObject({ status: 'pending', name: 'Salary Wallet - 12/12/2026' });

  // It is Friday again, the payday itself, so the next one is the same.
  await change({ timeZoneId: 'pst' });
  expect(await paydays()).toEqual(['2026-12-18', '2026-12-24']);
  await expect(send(reviewed)).rejects.toMatchObject({ code: 'preview_stale' });

  services.clock.set(LATER);
  for (let turn = 0; turn < 2; turn += 1) await postPayroll(opened.db, services, sent.id);
  expect(await accountForPayroll(opened.db, sent.id)).toMatchObject({
    paidLines: PEOPLE,
    losses: 0,
    doubles: 0,
    movedMinor: BigInt(PEOPLE) * PAYROLL_AMOUNT_MINOR,
  });

  const next = await send(await preview());
  expect(next.name, 'by the calendar in force when it is sent').toBe('Salary Wallet - 12/11/2026');
});
