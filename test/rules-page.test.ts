import { describe, expect, it } from 'vitest';
import { readDocsTable, wordsIn } from '#test/docs-table.ts';
import { bankAccountCan } from '#contract/bank-accounts.ts';
import { billCan } from '#contract/bills.ts';
import { DEPOSIT_METHODS, depositCan } from '#contract/deposits.ts';
import { importCan } from '#contract/employee-import.ts';
import { HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import { kycCan, kycDocumentCan } from '#contract/kyc.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import * as limits from '#contract/limits.ts';
import { payrollCan } from '#contract/payroll.ts';
import { recoveryCan } from '#contract/recovery.ts';
import { usualPayCan } from '#contract/usual-pay.ts';
import { URGENCY_DAYS, WITHDRAWAL_PROGRESS, withdrawalCan } from '#contract/withdrawals.ts';

const table = (heading: string) => readDocsTable(heading, 'rules.md');

describe('docs/rules.md says', () => {
  it.each([
    ['## Withdrawals', withdrawalCan],
    ['### Actions on a deposit', depositCan],
    ['## Bills', billCan],
    ['## Bank accounts', bankAccountCan],
    ['## Payroll', payrollCan],
    ['## Usual pay', usualPayCan],
    ['## Recovery', recoveryCan],
    ['### Application', kycCan],
    ['### Documents', kycDocumentCan],
    ['## Importing employees', importCan],
  ])('what can be done in which status: %s', (heading, can) => {
    expect(
      table(heading).map(([action, statuses]) => [wordsIn(action), wordsIn(statuses)]),
    ).toEqual(Object.entries(can).map(([action, statuses]) => [[action], [...statuses]]));
  });

  it('the steps of a withdrawal', () => {
    expect(table('### Progress').map(([status, percent]) => [wordsIn(status)[0], percent])).toEqual(
      Object.entries(WITHDRAWAL_PROGRESS).map(([status, percent]) => [status, String(percent)]),
    );
  });

  it('the days on which money is expected', () => {
    expect(table('### Urgency').map(([name, ...days]) => [wordsIn(name)[0], ...days])).toEqual(
      Object.entries(URGENCY_DAYS).map(([name, { min, max }]) => [name, String(min), String(max)]),
    );
  });

  it('the costs and limits of each method of deposit', () => {
    expect(
      table('### Methods').map(([name, ...figures]) => [wordsIn(name)[0], ...figures]),
    ).toEqual(
      Object.entries(DEPOSIT_METHODS).map(([name, { fee, minMinor, maxMinor, dailyMinor }]) => [
        name,
        ...[fee.basisPoints, fee.fixedMinor, minMinor, maxMinor, dailyMinor].map(String),
      ]),
    );
  });

  it('the suggestions of each type of funding', () => {
    expect(
      table('## Individual funding').map(([name, amount, wallet]) => [
        wordsIn(name)[0],
        amount,
        wallet === 'any' ? 'any' : wordsIn(wallet)[0],
      ]),
    ).toEqual(
      Object.entries(FUNDING_TYPES).map(([name, { suggestedMinor, walletType }]) => [
        name,
        suggestedMinor === null ? 'any' : String(suggestedMinor),
        walletType ?? 'any',
      ]),
    );
  });

  it('every limit per hour', () => {
    expect(table('## Limits per hour').map(([name, value]) => [wordsIn(name)[0], value])).toEqual(
      Object.entries(HOURLY_LIMITS).map(([name, value]) => [name, String(value)]),
    );
  });

  it('every limit', () => {
    const stated = Object.fromEntries(
      table('## Limits').map(([name, value]) => [wordsIn(name)[0], value]),
    );
    expect(stated).toEqual(
      Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)])),
    );
  });
});
