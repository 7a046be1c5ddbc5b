import { describe, expect, test } from 'vitest';
import { SETTINGS } from '#contract/settings.ts';
import { settingsFixture } from '#test/settings-fixture.ts';

const { read, change } = settingsFixture(() => undefined);

const usd = (minor: string) => ({ minor, currency: 'USD' });

describe('refuses hostile values, and changes nothing', () => {
  test.each([
    [{ kycMinAgeYears: -1 }, 'settings.kycMinAgeYears', SETTINGS.kycMinAgeYears.rule.problem],
    [
      { secondPersonHours: 23 },
      'settings.secondPersonHours',
      SETTINGS.secondPersonHours.rule.problem,
    ],
    [{ kycMinAgeYears: 18.5 }, 'settings.kycMinAgeYears', SETTINGS.kycMinAgeYears.rule.problem],
    [{ kycRetentionDays: 0 }, 'settings.kycRetentionDays', SETTINGS.kycRetentionDays.rule.problem],
    [
      { kycRetentionDays: null },
      'settings.kycRetentionDays',
      SETTINGS.kycRetentionDays.rule.problem,
    ],
    [
      { payrollLineLimit: usd('1000000000000000000') },
      'settings.payrollLineLimit.minor',
      'Please enter a valid amount',
    ],
    [
      { payrollBatchLimit: usd('0') },
      'settings.payrollBatchLimit.minor',
      'Please enter a valid amount',
    ],
    [
      { payrollBatchLimit: usd('-5') },
      'settings.payrollBatchLimit.minor',
      'Please enter a valid amount',
    ],
    [
      { separatePayout: usd('1e9') },
      'settings.separatePayout.minor',
      'Please enter a valid amount',
    ],
    [
      { adminIdleMinutes: 1e9 },
      'settings.adminIdleMinutes',
      SETTINGS.adminIdleMinutes.rule.problem,
    ],
    [{ companyName: ' ' }, 'settings.companyName', 'Enter the company name'],
    [
      { companyName: 'a\u202Eb' },
      'settings.companyName',
      'Use plain text on one line. Remove the invisible character U+202E.',
    ],
    [{ supportEmail: 'payroll' }, 'settings.supportEmail', 'Enter a valid email address'],
    [{ mailingAddress: 'x'.repeat(301) }, 'settings.mailingAddress', 'Use at most 300 characters'],
    [
      { cardPaymentPage: 'javascript:alert(1)' },
      'settings.cardPaymentPage',
      'Enter an address that begins with https://',
    ],
    [
      { cardPaymentPage: 'https://user@pay.example.com' },
      'settings.cardPaymentPage',
      'Enter an address that begins with https://',
    ],
    [
      { receivingBankName: 'First Bank' },
      'settings.receivingBankAddress',
      'Enter the bank’s address',
    ],
    [
      { receivingRoutingNumber: '084207311' },
      'settings.receivingAccountNumber',
      'Enter the account number',
    ],
    [
      { receivingAccountNumber: '4400128865' },
      'settings.receivingRoutingNumber',
      'Enter the routing number',
    ],
    [
      { receivingRoutingNumber: '084207316', receivingAccountNumber: '4400128865' },
      'settings.receivingRoutingNumber',
      'Enter a valid 9-digit routing number',
    ],
    [
      { receivingRoutingNumber: '084207311', receivingAccountNumber: '12' },
      'settings.receivingAccountNumber',
      'Enter an account number of 4 to 17 digits',
    ],
    [
      { joinDomains: ['not a domain'] },
      'settings.joinDomains.0',
      'Enter a domain such as example.com',
    ],
    [{ legalName: 'x'.repeat(81) }, 'settings.legalName', 'Use at most 80 characters'],
    [{ payrollFrequency: 'biweekly' }, 'settings.payrollFirstPayday', 'Enter the first payday'],
    [{ joinPolicy: 'domains' }, 'settings.joinDomains', 'Please fill in all required fields'],
    ...['prenote', 'micro_deposits'].map((bankAccountProof): [object, string, string] => [
      { bankAccountProof },
      'settings.bankAccountProof',
      'Prenotes and micro-deposits need payout files in the format NACHA ACH',
    ]),
  ])('%j', async (settings, path, message) => {
    const before = await read();
    expect(await change('renee', settings)).toMatchObject({
      status: 422,
      body: { errors: expect.arrayContaining([{ path, message }]) },
    });
    expect(await read()).toEqual(before);
  });

  test.each([
    { timeZone: 'Mars/Base' },
    { timeZone: 'America/New_York' },
    { joinPolicy: 'nobody' },
    { payrollDay: '32' },
    { payrollDays: '1_16' },
    { payrollFirstPayday: '12/11/2026' },
    { payrollFirstPayday: '2026-02-30' },
    { paydayMoves: 'never' },
    { requireAdminTwoFactor: 'yes' },
    { initialEmailFrequency: 'hourly' },
    { initialDepositAlerts: 'no' },
    { currency: 'CHF' },
    // The server's own columns cannot be set by an admin.
    { demo: 'none' },
    { payoutsStoppedAt: null },
    { routingNumber: '000000000' },
  ])('%j', async (settings) => {
    const before = await read();
    expect((await change('renee', settings)).status).toBe(422);
    expect(await read()).toEqual(before);
  });

  test('an amount in another currency than the company’s', async () => {
    const settings = { payrollLineLimit: { minor: '500', currency: 'EUR' } };
    expect(await change('renee', settings)).toMatchObject({ body: { code: 'amount_invalid' } });
  });
});
