import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { UpcomingPayroll } from './upcoming-payroll.tsx';

test('where no batch is waiting, the next one can be sent from there', () => {
  const markup = renderToStaticMarkup(<UpcomingPayroll batches={[]} nextPayroll="2026-12-11" />);
  expect(markup).toContain('href="/admin/payroll"');
  expect(markup).toContain('Send Payroll');
});
