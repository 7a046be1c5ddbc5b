import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { TEST_DEPOSIT_PLACES } from '#test/factories/deposits.ts';
import { createAdmin } from '#test/factories/people.ts';

type Places = RouteReply<'adminGetDepositPlaces'>;

const NONE: Places = {
  supportEmail: '',
  mailingAddress: '',
  receivingBankName: '',
  receivingBankAddress: '',
  cardPaymentPage: '',
};
const { receivingBank, ...OTHERS } = TEST_DEPOSIT_PLACES;
const ALL: Places = {
  ...OTHERS,
  receivingBankName: receivingBank.name,
  receivingBankAddress: receivingBank.address,
};

let purser: TestApp;
let cookie: string;

beforeAll(async () => {
  purser = await openTestApp();
  cookie = await purser.cookieOf(await createAdmin(purser.db, purser.services));
});
afterAll(() => purser.close());

async function change(places: Places, seen: Places) {
  const response = await purser.ask('PUT', '/api/admin/deposit-places', {
    cookie,
    body: { ...places, seen },
  });
  return { status: response.status, reply: (await response.json()) as unknown };
}

test('are set, kept and cleared; the second of two admins is refused', async () => {
  const first = await purser.ask('GET', '/api/admin/deposit-places', { cookie });
  expect(await first.json()).toEqual(NONE);
  expect(await change(ALL, NONE)).toEqual({ status: 200, reply: ALL });
  expect(await change(NONE, NONE)).toMatchObject({ status: 409, reply: { code: 'conflict' } });
  expect(await change({ ...ALL, receivingBankAddress: '' }, ALL)).toEqual({
    status: 200,
    reply: { ...ALL, receivingBankName: '', receivingBankAddress: '' },
  });
});

test.each([
  { cardPaymentPage: 'http://pay.example.com' },
  { cardPaymentPage: 'javascript:alert(1)' },
  { cardPaymentPage: 'https://user@pay.example.com' },
  { supportEmail: 'payroll' },
  { mailingAddress: 'x'.repeat(301) },
  { receivingBankName: 'two\nlines' },
])('%o is refused', async (places) => {
  expect(await change({ ...ALL, ...places }, ALL)).toMatchObject({ status: 422 });
});
