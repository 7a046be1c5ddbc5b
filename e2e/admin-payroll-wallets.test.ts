import { fundedWallet } from '#test/factories/money.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { openedReview, sendReviewed, whileNobodySends } from './support/payroll.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('a payroll of several types of wallet comes from one file, is reviewed and sent as one', async ({
  page,
  context,
  company,
  faults,
}) => {
  const lastName = `Wallets${Date.now()}`;
  const ada = await company.createEmployee({ firstName: 'Ada', lastName });
  const ben = await company.createEmployee({ firstName: 'Ben', lastName });
  for (const { by } of [ada, ben]) {
    await fundedWallet(company.db, company.yesterday, by, 0n, 'savings');
  }
  await signIn(context, await company.createAdmin({ firstName: 'Aanya', lastName }));
  const { id } = await ask(await apiAs('admin'), 'adminCreatePayrollDraft', {
    body: {
      walletType: 'salary',
      department: 'chosen',
      description: `Pay of ${lastName}`,
      hasOwnAmounts: true,
      people: [ada.id, ben.id],
    },
  });
  await page.goto(`/admin/payroll?draft=${id}`);
  await page.getByRole('button', { name: 'Add a Wallet Type' }).click();
  await page.getByRole('menuitem', { name: 'Savings Account (401k)' }).click();
  const tabs = page.getByRole('tablist', { name: 'Types of wallet' });
  const savings = tabs.getByRole('tab', { name: 'Savings Account (401k)' });
  await expect(savings).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('grid', { name: /^Amounts of Savings/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'From a file' }).click();
  await expect(page.getByRole('heading', { name: 'Amounts From a File' })).toBeVisible();
  await page.locator('input[type="file"]').setInputFiles({
    name: 'net-pay.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `Email,Net_Pay,401k\r\n${ada.email},"2,340.00",120.50\r\n${ben.email},"1,900.25",\r\n`,
    ),
  });
  const sheet = page.getByRole('region', { name: 'Ready to fill in' });
  await expect(sheet).toContainText('$4,240.25');
  await expect(sheet).toContainText('$120.50');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByLabel('Control total').fill('4,360.75');
  const others = page.getByRole('button', { name: /^Leave Out, all / });
  if (await others.isVisible()) await others.click();
  await sheet.getByRole('button', { name: /^Fill In/ }).click();

  const grid = page.getByRole('grid', { name: /^Amounts of Payroll/ });
  await expect(grid.getByRole('textbox', { name: `This time, Ada ${lastName}` })).toHaveText(
    '$2,340.00',
  );
  await expect(page.getByRole('row', { name: /^This payroll/ })).toContainText('$4,360.75');
  await tabs.getByRole('tab', { name: 'Salary Wallet' }).press('ArrowRight');
  await expect(savings).toBeFocused();
  const cell = page.getByRole('textbox', { name: `This time, Ben ${lastName}` });
  await cell.focus();
  await page.keyboard.type('80');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /^This payroll/ })).toContainText('$4,440.75');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole('button', { name: /^Review Payroll/ }).click();
  const review = await openedReview(page);
  await expect(review).toContainText('2 × Salary Wallet');
  await expect(review).toContainText('2 × Savings Account (401k)');
  await expectAccessible(page);
  await whileNobodySends(company, () => sendReviewed(page, faults, 'Send Payroll $4,440.75'));
  await expect(page).toHaveURL(/batch=/);
  const link = page.getByRole('link', { name: /^\d{4,}, Savings Account \(401k\)$/ });
  await expect(link).toBeVisible();
  await link.click();
  await expect(page.getByRole('link', { name: /^\d{4,}, Salary Wallet$/ })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('$200.50');
});
