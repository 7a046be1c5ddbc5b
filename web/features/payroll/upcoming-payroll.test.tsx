import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { UpcomingPayroll } from './upcoming-payroll.tsx';

test('where no batch is waiting, the next one can be sent from there', () => {
  const markup = renderToStaticMarkup(<UpcomingPayroll batches={[]} nextPayroll="2026-12-11" />);
  expect(markup).toContain('href="/admin/payroll"');
  expect(markup).toContain('Send Payroll');
});

test('a batch leads to itself, and the schedule’s next day follows', () => {
  const batch = {
    ...{ id: '7', name: 'Salary Wallet - 12/15/2026', payPeriod: 'December 2026', employees: 34 },
    ...{ total: money(8_874_000n, 'USD'), status: 'pending' as const },
  };
  const markup = renderToStaticMarkup(
    <UpcomingPayroll batches={[batch]} nextPayroll="2026-12-25" />,
  );
  expect(markup).toContain('href="/admin/payroll?batch=7"');
  expect(markup).toContain('Next payroll');
  expect(markup).toContain('December 25, 2026');
});
