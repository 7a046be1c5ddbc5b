import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { describeLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

const LABEL = 'Search people, screens and actions';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('people, screens and acts are found by the keyboard alone', async ({ page, company }) => {
  const lastName = `Palette${Date.now()}`;
  await company.createEmployee({ firstName: 'Grace', lastName });
  await page.goto('/admin/deposits');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: LABEL });
  await expect(palette.getByRole('menuitem', { name: 'Send Payroll' })).toBeVisible();
  await page.keyboard.type(lastName);
  await expect(palette.getByRole('menuitem', { name: `Grace ${lastName}` })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/employees\/[0-9a-f-]{36}$/);
  await expect(palette).toHaveCount(0);

  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/admin\/withdrawals/);
  const search = page.getByRole('searchbox', { name: 'Search withdrawals' });
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type('pn?');
  await expect(search, 'keys are letters where text is typed').toHaveValue('pn?');
  await search.blur();
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'Add Employee' })).toBeVisible();
  await page.keyboard.press('p');
  await expect(page, 'a dialog keeps the keys').toHaveURL(/\/admin\/employees/);
});

test('single keys can be turned off', async ({ page }) => {
  await page.goto('/admin/deposits');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByRole('checkbox', { name: 'Single keys on' }).uncheck();
  await sheet.getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('p');
  await page.keyboard.press('?');
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/admin\/deposits/);
});

describeLooks('search and commands', () => {
  test('are accessible', async ({ page }) => {
    await page.goto('/admin/deposits');
    await page.getByRole('button', { name: LABEL }).click();
    const palette = page.getByRole('dialog', { name: LABEL });
    await expect(palette.getByRole('menuitem', { name: 'Send Payroll' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await palette.getByRole('button', { name: 'All shortcuts' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
});
