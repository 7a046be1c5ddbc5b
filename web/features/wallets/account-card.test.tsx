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

/** Depositing has the outline of one. */
const MAIN_ACTION = /btn--money(?!-)/;

test('Withdraw is the main action only where there is something to withdraw', () => {
  const markup = (canWithdraw: boolean) =>
    renderToStaticMarkup(
      <AccountCard
        wallet={wallet}
        isFirst
        canWithdraw={canWithdraw}
        onWithdraw={() => undefined}
        onDeposit={() => undefined}
        onProve={() => undefined}
      />,
    );
  expect(markup(true)).toMatch(MAIN_ACTION);
  expect(markup(false)).not.toMatch(MAIN_ACTION);
  expect(markup(false)).toContain('Withdraw from Salary Wallet');
});
