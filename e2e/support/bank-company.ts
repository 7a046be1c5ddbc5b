import { expect } from '@playwright/test';
import type { APIRequestContext, BrowserContext } from '@playwright/test';
import { bankingDayOnOrAfter } from '#contract/banking-days.ts';
import { addDays, addMonths, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { appCode } from '#scripts/app-code.ts';
import { withTx } from '#server/db/tx.ts';
import { scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { ENTRY } from '#server/modules/payouts/nacha/records.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import { fundedWallet, verifiedBank, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';
import type { ShiftedClock } from '#test/shifted-clock.ts';
import { ask, openApi } from './api.ts';
import type { Company, Person } from './company.ts';
import { BANK_SETTINGS } from './payouts.ts';

const ZONE = 'America/New_York';
const HALF_A_MINUTE_MS = 30_000;

/** Days of last month on which a company pays, and its bank answers. */
function daysOfLastMonth() {
  const first = addMonths(`${dayIn(ZONE, new Date()).slice(0, 7)}-01`, -1);
  const payday = bankingDayOnOrAfter(addDays(first, 7), 'USD');
  const paid = bankingDayOnOrAfter(addDays(payday, 2), 'USD');
  const settled = bankingDayOnOrAfter(addDays(paid, 1), 'USD');
  const returned = bankingDayOnOrAfter(addDays(settled, 1), 'USD');
  return {
    first,
    payday,
    paid,
    settled,
    returned,
    last: addDays(addMonths(first, 1), -1),
  };
}

export const DAYS = daysOfLastMonth();

/** Late morning of that day in the company's time zone. */
export const morningOf = (day: string): string => `${day}T15:00:00.000Z`;

/** Names of those who are paid, with the amount of each in minor units. */
const WITHDRAWALS = new Map([
  ['Akinola', 31_240n],
  ['Brandt', 125_000n],
  ['Castellanos', 48_000n],
  ['Duarte', 9_560n],
  ['Eriksen', 76_200n],
]);
const BILLS = new Map([
  ['Alder Dental', 8_300n],
  ['Harbor Fiber', 11_700n],
]);

/** Administrators of the company with their sessions. */
export interface Desk {
  renee: Person;
  theo: Person;
  api: APIRequestContext;
  /** Key of Renee's app, which shows the codes. */
  key: string;
}

/**
 * Makes a company that pays by NACHA files, and two administrators who have two-factor, as it requires.
 *
 * @param context of Renee, who is signed in
 */
export async function makeBankDesk(
  company: Company,
  { origin, context }: { origin: string; context: BrowserContext },
): Promise<Desk> {
  const { db, services, admin } = company;
  await withTx(db, (tx) => updateSettings(tx, services, admin, BANK_SETTINGS));
  const renee = await company.createAdmin({ firstName: 'Renee', lastName: 'Albright' });
  const theo = await company.createAdmin({ firstName: 'Theo', lastName: 'Marchetti' });
  await signInWithTwoFactor(origin, theo);
  const { api, key } = await signInWithTwoFactor(origin, renee);
  await context.addCookies((await api.storageState()).cookies);
  return { renee, theo, api, key };
}

/**
 * Has five people be paid and ask for money, and two bills be due, by the commands that the server runs. Theo verifies the
 * bank accounts, so that Renee may approve.
 *
 * @returns those people by their last names, with the id of what each asked for
 */
export async function makePayouts(
  company: Company,
  { renee, theo }: Desk,
  clock: ShiftedClock,
): Promise<ReadonlyMap<string, { person: Person; withdrawalId: string }>> {
  const { db, services } = company;
  const people: Person[] = [];
  const payees: Payee[] = [];
  for (const lastName of WITHDRAWALS.keys()) {
    const person = await company.createEmployee({ firstName: 'Aanya', lastName });
    const { by } = person;
    await approveIdentity(db, services, by, renee.by);
    const wallet = await fundedWallet(db, services, by, 0n);
    const accountHolderName = `Aanya ${lastName}`;
    const theirs = { owner: by, admin: theo.by };
    const bank = await verifiedBank(db, services, { ...theirs, accountHolderName });
    people.push(person);
    payees.push({ by, wallet, bank });
  }
  const bills = await Promise.all(
    [...BILLS].map(async ([name, minor], index) => {
      const payer = payees[index] as Payee;
      const payeeId = await outsidePayee(db, services, payer.by, { name });
      return { payer, payeeId, amount: money(minor, 'USD') };
    }),
  );
  const payroll = await confirmPayroll(db, renee.by.actor, services);
  // Accounts and payees that are new are paid from the day after on.
  clock.set(morningOf(DAYS.paid));
  await postPayroll(db, services, payroll);
  const asked = new Map<string, { person: Person; withdrawalId: string }>();
  for (const [index, [lastName, amountMinor]] of [...WITHDRAWALS].entries()) {
    const [person, payee] = [people[index] as Person, payees[index] as Payee];
    const order = { payee, admin: renee.by, amountMinor, status: 'approved' } as const;
    const { id } = await withdrawalIn(db, services, order);
    asked.set(lastName, { person, withdrawalId: id });
  }
  for (const { payer, payeeId, amount } of bills) {
    const walletId = payer.wallet.id;
    const order = { walletId, payeeId, amount, payOn: DAYS.paid, dueOn: null, memo: 'Family plan' };
    await withTx(db, (tx) => scheduleBill(tx, services, payer.by, order));
  }
  await takeBills(db, services);
  return asked;
}

/** Signs an administrator in and turns two-factor on. Returns the session, and the key of the app that shows the codes. */
async function signInWithTwoFactor(origin: string, { email, password }: Person) {
  const api = await openApi(origin);
  await ask(api, 'signIn', { body: { email, password } });
  const { key } = await ask(api, 'setUpTwoFactor', { body: { password } });
  await expect(async () => {
    // The code before the present one, which is left for the next question. It ends within a moment at times.
    const code = appCode(key, new Date(Date.now() - HALF_A_MINUTE_MS));
    await ask(api, 'turnOnTwoFactor', { body: { code } });
  }).toPass();
  return { api, key };
}

/** Entries of a NACHA file, by the name of the payee. */
export function entriesOf(file: string) {
  const records = file.split(/\r?\n/).filter((record) => record.startsWith('6'));
  const entries = records.map((record, index) => ENTRY.read(record, index + 1));
  return new Map(entries.map((entry) => [entry.name.trim(), entry]));
}

/** Sum of a column of a CSV file, in minor units. Cells before it have no commas. */
export function sumOfColumn(csv: string, column: string): number {
  const [header = [], ...rows] = csv
    .trim()
    .split('\r\n')
    .map((row) => row.split(','));
  const at = header.findIndex((name) => name.replaceAll('"', '') === column);
  return rows.reduce((sum, row) => sum + Math.round(Number(row[at]?.replaceAll('"', '')) * 100), 0);
}
