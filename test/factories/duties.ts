import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { SettingsReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { SettingValues } from '#contract/settings.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee } from './money.ts';
import { createAdmin } from './people.ts';
import type { TestPerson } from './people.ts';

/** Settings of a company that separates no duties. */
export const OFF = {
  separatePayroll: null,
  separateBankAccount: null,
  separatePayout: null,
  separateReturn: null,
};
/** Limit that every amount reaches. */
export const ALWAYS = money(1n, 'USD');
/** Refusal of what Priya has to do. */
export const NEEDS_PRIYA = {
  code: 'second_person_needed',
  title: expect.stringContaining('Priya Nair'),
};

const cookies = { renee: '', priya: '' };
export type Who = keyof typeof cookies;

/** A company with its two administrators. */
export interface DutiesDesk {
  purser: TestApp;
  renee: TestPerson;
  priya: TestPerson;
}

/**
 * Opens an app with two administrators before the tests of a file. No duty is separated when a test begins.
 *
 * @returns what the administrators do over HTTP
 */
export function openDuties(take: (desk: DutiesDesk) => void) {
  let desk: DutiesDesk;
  beforeAll(async () => {
    const purser = await openTestApp();
    const adminNamed = (firstName: string, lastName: string) =>
      createAdmin(purser.db, purser.services, { firstName, lastName });
    const [renee, priya] = [
      await adminNamed('Renee', 'Albright'),
      await adminNamed('Priya', 'Nair'),
    ];
    cookies.renee = await purser.cookieOf(renee);
    cookies.priya = await purser.cookieOf(priya);
    desk = { purser, renee, priya };
    take(desk);
  });
  afterAll(() => desk.purser.close());
  beforeEach(async () => {
    const { db } = desk.purser;
    await db
      .updateTable('companySettings')
      .set({
        separatePayrollMinor: null,
        separateBankAccountMinor: null,
        separatePayoutMinor: null,
        separateReturnMinor: null,
        payoutCoolingHours: 0,
      })
      .execute();
    await db.deleteFrom('dutyInForce').execute();
  });
  const ask = async (who: Who, method: string, path: string, body?: object) => {
    const reply = await desk.purser.ask(method, `/api/admin/${path}`, {
      cookie: cookies[who],
      key: crypto.randomUUID(),
      ...(body !== undefined && { body }),
    });
    return (await reply.json()) as Record<string, unknown> & { id: string };
  };
  const rules = async () => (await ask('renee', 'GET', 'settings')) as unknown as SettingsReply;
  return {
    ask,
    rules,
    separate: async (duties: Partial<typeof OFF | SettingValues>) => {
      const { version } = await rules();
      return ask('renee', 'PUT', 'settings', { version, settings: { ...OFF, ...duties } });
    },
    payee: () => createPayee(desk.purser.db, desk.purser.services, { admin: desk.renee.by }),
  };
}
