import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PayrollDraft } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { CompanyContext, type Company } from '#web/lib/company.ts';
import { UpcomingPayroll } from './upcoming-payroll.tsx';

const COMPANY = { name: 'Tallis & Reed', timeZone: 'America/New_York' } as Company;
const onTask = () => undefined;

test('offers to send the next payroll if no batch is waiting', () => {
  const markup = renderToStaticMarkup(
    <UpcomingPayroll batches={[]} drafts={[]} nextPayroll="2026-12-11" onTask={onTask} />,
  );
  expect(markup).toContain('href="/admin/payroll"');
  expect(markup).toContain('Send Payroll');
});

test('shows no date without a schedule', () => {
  const markup = renderToStaticMarkup(
    <UpcomingPayroll batches={[]} drafts={[]} nextPayroll={null} onTask={onTask} />,
  );
  expect(markup).toContain('No payroll is scheduled');
  expect(markup).not.toContain('Next payroll');
});

test('links to each batch, then shows the next scheduled day', () => {
  const batch = {
    id: '7',
    isFunding: false,
    name: 'Salary Wallet - 12/15/2026',
    payPeriod: 'December 2026',
    employees: 34,
    total: money(8_874_000n, 'USD'),
    status: 'pending' as const,
    window: null,
    approval: null,
  };
  const markup = renderToStaticMarkup(
    <CompanyContext value={COMPANY}>
      <UpcomingPayroll batches={[batch]} drafts={[]} nextPayroll="2026-12-25" onTask={onTask} />
    </CompanyContext>,
  );
  expect(markup).toContain('href="/admin/payroll?batch=7"');
  expect(markup).toContain('Next payroll');
  expect(markup).toContain('December 25, 2026');
});

test('lists drafts without saying that nothing waits', () => {
  const draft = { id: '9', name: 'Salary Wallet - 12/11/2026', employees: 58 };
  const total = money(13_907_720n, 'USD');
  const wallets = [{ id: '9', walletType: 'salary', version: 1, employees: 58, total }];
  const markup = renderToStaticMarkup(
    <CompanyContext value={COMPANY}>
      <UpcomingPayroll
        batches={[]}
        drafts={[{ ...draft, total, wallets } as PayrollDraft]}
        nextPayroll={null}
        onTask={onTask}
      />
    </CompanyContext>,
  );
  expect(markup).toContain('href="/admin/payroll?draft=9"');
  expect(markup).toContain('58 employees');
  expect(markup).toContain('Draft');
  expect(markup).not.toContain('No batch is waiting.');
});
