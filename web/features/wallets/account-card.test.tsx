import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Wallet } from '#contract/api.ts';
import { AccountCard } from './account-card.tsx';

const zero = { minor: '0', currency: 'USD' } as const;
const wallet: Wallet = {
  id: '019b0000-0000-7000-8000-000000000001',
  type: 'salary',
  name: 'Salary Wallet',
  accountNumberLast4: '4821',
  routingNumber: '084207311',
  isPrimary: true,
  balance: zero,
  held: zero,
  available: zero,
};

/** Class of the main button. The outlined variant ends in a suffix. */
const MAIN_ACTION = /btn--money(?!-)/;

const markupOf = (shown: Wallet, canWithdraw = true) =>
  renderToStaticMarkup(
    <AccountCard
      wallet={shown}
      isFirst
      canWithdraw={canWithdraw}
      onWithdraw={() => undefined}
      onDeposit={() => undefined}
      onProve={() => undefined}
    />,
  );

test('shows and copies no routing number if the company has not entered one', () => {
  expect(markupOf(wallet)).toContain('Copy routing number of Salary Wallet');
  const markup = markupOf({ ...wallet, routingNumber: null });
  expect(markup).toContain('Not set up by your company yet');
  expect(markup).not.toContain('Copy routing number');
});

test('names the number of the company’s bank as its currency does', () => {
  const inCurrency = (currency: 'EUR' | 'GBP', routingNumber: string | null) =>
    markupOf({ ...wallet, available: { minor: '0', currency }, routingNumber });
  expect(inCurrency('GBP', '200000')).toContain('20-00-00');
  expect(inCurrency('GBP', '200000')).toContain('Copy sort code of Salary Wallet');
  expect(inCurrency('EUR', null)).not.toContain('Not set up by your company yet');
});

test('Withdraw is the main action only if there is money to withdraw', () => {
  const markup = (canWithdraw: boolean) => markupOf(wallet, canWithdraw);
  expect(markup(true)).toMatch(MAIN_ACTION);
  expect(markup(false)).not.toMatch(MAIN_ACTION);
  expect(markup(false)).toContain('Withdraw from Salary Wallet');
});
