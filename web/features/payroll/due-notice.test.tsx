import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { DueNotice } from './due-notice.tsx';
import type { PayrollForm } from './payroll-form.ts';

type Due = RouteReply<'adminGetPayrollStats'>['due'];

const order = (isSent: boolean) => ({
  walletType: 'salary' as const,
  department: 'sales' as const,
  description: 'Pay',
  isSent,
  amount: money(192_000n, 'USD'),
});

function markup(due: Due): string {
  const queries = new QueryClient();
  queries.setQueryData<RouteReply<'adminGetPayrollStats'>>(
    apiQuery('adminGetPayrollStats', {}).queryKey,
    {
      totalEmployees: 1,
      pendingBatches: 0,
      nextPayroll: '2026-12-11',
      due,
      totalPayroll: money(0n, 'USD'),
    },
  );
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <DueNotice payroll={{} as PayrollForm} />
    </QueryClientProvider>,
  );
}

test('shows nothing if no payroll is due', () => {
  expect(markup(null)).toBe('');
});

test('names a payday without a payroll and offers to fill in the last one', () => {
  const text = markup({ on: '2026-12-11', orders: [order(false)], prepared: [] });
  expect(text).toContain('Payroll is due on Fri, Dec 11.');
  expect(text).toContain('None has been sent yet.');
  expect(text).toContain('Fill In Last Payroll');
});

test('offers nothing to fill in if there was no recent payroll', () => {
  expect(markup({ on: '2026-12-11', orders: [], prepared: [] })).not.toContain('Fill In');
});

test('says how many of how many were paid if only a part was sent', () => {
  const text = markup({ on: '2026-12-11', orders: [order(true), order(false)], prepared: [] });
  expect(text).toContain('1 of 2 that are usually paid were sent.');
});
