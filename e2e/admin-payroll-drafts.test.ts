import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('a payroll with each person’s own amount is typed like in a spreadsheet, kept, and sent', async ({
  page,
  company,
  openAs,
}) => {
  const ada = await company.createEmployee({
    ...{ firstName: 'Ada', lastName: 'Abbott', department: 'hr' },
  });
  await company.createEmployee({ firstName: 'Bela', lastName: 'Abbott', department: 'hr' });
  await page.goto('/admin/payroll');
  await page.getByLabel('Wallet Type').selectOption({ label: 'Salary Wallet' });
  await page.getByLabel('Department').selectOption({ label: 'HR' });
  await page.getByLabel('Description').fill('Own amounts of HR');
  await page.getByText('Each person’s own amount').click();
  await page.getByText('No amounts yet').click();
  await page.getByRole('button', { name: 'Prepare Amounts' }).click();

  const grid = page.getByRole('grid', { name: /^Amounts of Salary Wallet/ });
  const cellOf = (name: string) => grid.getByRole('textbox', { name: `This time, ${name}` });
  await cellOf('Ada Abbott').focus();
  await page.keyboard.type('1,200.5');
  await page.keyboard.press('Enter');
  await expect(cellOf('Ada Abbott')).toHaveText('$1,200.50');
  await expect(cellOf('Bela Abbott')).toBeFocused();
  await page.keyboard.type('12.345');
  await page.keyboard.press('Enter');
  await expect(cellOf('Bela Abbott')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('alert')).toContainText('Bela Abbott: Please enter a valid amount');
  const review = page.getByRole('button', { name: /^Review Payroll/ });
  await expect(review).toHaveAttribute('aria-disabled', 'true');

  await cellOf('Bela Abbott').focus();
  await page.keyboard.press('Delete');
  await page.keyboard.type('800');
  await page.keyboard.press('ArrowUp');
  await expect(cellOf('Ada Abbott')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(cellOf('Bela Abbott')).toHaveText('–');
  await page.keyboard.press('Control+y');
  await expect(cellOf('Bela Abbott')).toHaveText('$800.00');
  await expect(page.getByRole('row', { name: /^Total, 2 people/ })).toContainText('$2,000.50');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('button', { name: 'Save Draft' }).click();
  const draft = page.getByRole('table', { name: 'Drafts' }).getByRole('row', { name: /HR/ });
  await expect(draft).toContainText('$2,000.50');
  await expectAccessible(page);
  await draft
    .getByRole('button', { name: /^Resume/ })
    .last()
    .click();
  await expect(cellOf('Ada Abbott')).toHaveText('$1,200.50');

  await review.click();
  const question = page.getByRole('alertdialog', { name: 'Send this payroll?' });
  await expect(question).toContainText('$2,000.50 to 2 employees, each their own amount');
  await question.getByRole('button', { name: 'Send $2,000.50' }).click();
  await expect(page.getByRole('list', { name: 'Payroll progress' })).toContainText('Completed', {
    timeout: 20_000,
  });
  const adasPage = await openAs(ada);
  await adasPage.goto('/employee/dashboard');
  await expect(adasPage.getByText('$1,200.50').first()).toBeVisible();
});
