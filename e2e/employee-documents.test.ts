import { readFile } from 'node:fs/promises';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { describeLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { smallTargets } from './support/targets.ts';
import { expect, test } from './support/test.ts';

const documentsOf = async () => ask(await apiAs('maya'), 'listAccountDocuments', {});

test('Maya reads her newest payslip on screen, in print and as PDF', async ({ page, context }) => {
  const [payslip] = (await documentsOf()).payslips.items;
  await signIn(context, 'maya');
  await page.goto('/employee/history');
  await page.getByRole('link', { name: 'Documents' }).click();
  const history = page.getByRole('link', { name: 'History', exact: true });
  await expect(history).toHaveAttribute('aria-current', 'page');
  const year = page.getByRole('link', { name: /^All of 20\d\d$/ });
  await expect(year).toHaveAttribute('href', /\/api\/document-archives\/20\d\d$/);
  await page.getByRole('link', { name: `Open payslip ${payslip?.reference}` }).click();
  const paper = page.getByRole('article', { name: `Payslip, ${payslip?.reference}` });
  await expect(paper.getByRole('heading', { level: 1 })).toHaveText('Payslip');
  await expect(paper.getByRole('table', { name: 'Paid into your accounts' })).toContainText(
    payslip?.reference ?? '',
  );

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download PDF' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`payslip-${payslip?.reference}.pdf`);
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Download PDF' })).toBeHidden();
  await expect(paper).toBeVisible();
});

describeLooks('a statement', () => {
  test('is accessible and fits', async ({ page, context, isMobile }) => {
    const statement = (await documentsOf()).statements.find(({ readyOn }) => readyOn === null);
    await signIn(context, 'maya');
    await page.goto(`/employee/documents/${statement?.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statement');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(await smallTargets(page, isMobile ? 44 : 40)).toEqual([]);
  });
});

test('a transaction leads to its receipt, and payroll to its payslip', async ({
  page,
  context,
}) => {
  await signIn(context, 'maya');
  for (const [type, name] of [
    ['deposit', 'Receipt'],
    ['payroll', 'Payslip'],
  ] as const) {
    await page.goto(`/employee/history?type=${type}&status=completed`);
    await page.getByRole('table').locator('tbody').getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  }
});

test('a month that is not over has no statement', async ({ page, context, faults }) => {
  faults.allowRefusal(404, '/api/account-documents/statement');
  await signIn(context, 'maya');
  await page.goto('/employee/documents/statement.salary.9998-01');
  await expect(page.getByText('There is no such document.')).toBeVisible();
  await page.goto('/employee/documents?tab=statements');
  await expect(page.getByText(/^Ready on /).first()).toBeVisible();
});
