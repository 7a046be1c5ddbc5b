import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { ask } from './support/api.ts';
import { expectAccessible } from './support/accessible.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
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
  await expect(palette.getByRole('searchbox')).toBeFocused();
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

test('keys do nothing else while the palette is loading', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/command-palette*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/admin/deposits');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const asked = page.waitForRequest('**/command-palette*.js');
  await page.keyboard.press('Control+k');
  await asked;
  await page.keyboard.press('n');
  release();
  await expect(page.getByRole('dialog', { name: LABEL })).toBeVisible();
  await expect(page).toHaveURL('/admin/deposits');
  await expect(page.getByRole('dialog', { name: 'Add Employee' })).toHaveCount(0);
});

test('the rows of a list are selected, opened and decided by keys', async ({ page, company }) => {
  const lastName = `Rowkeys${Date.now()}`;
  const person = await company.createEmployee({ firstName: 'Grace', lastName });
  const { accounts } = await ask(await apiAs(person), 'listWallets', {});
  await withTx(company.db, async (tx) => {
    for (const description of ['First', 'Second', 'Third']) {
      await requestDeposit(tx, company.yesterday, person.by, {
        walletId: accounts[0]?.id ?? '',
        method: 'ach',
        amount: money(7_700n, 'USD'),
        description,
      });
    }
  });
  await page.goto(`/admin/deposits?search=${lastName}`);
  const rows = page.locator('tr[data-row]');
  await expect(rows).toHaveCount(3);

  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(page.getByRole('button', { name: 'Approve 3 Deposits $231.00' })).toBeVisible();
  await page.keyboard.press('k');
  await expect(rows.nth(1)).toBeFocused();
  await expectAccessible(page);

  for (const [key, role, name] of [
    ['a', 'alertdialog', 'Approve this deposit?'],
    ['r', 'dialog', 'Reject deposit'],
    ['Enter', 'dialog', 'Deposit details'],
  ] as const) {
    await page.keyboard.press(key);
    const opened = page.getByRole(role, { name });
    await expect(opened).toBeVisible();
    await escape(opened);
    await expect(opened).toHaveCount(0);
    await rows.nth(1).focus();
  }
  await expect(rows, 'a key alone decides nothing').toHaveCount(3);
  await expect(rows.getByText('Pending')).toHaveCount(3);
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

describeVisits('search and commands', (looks) => {
  test('are accessible', async ({ page }) => {
    await page.goto('/admin/deposits');
    await page.getByRole('button', { name: LABEL }).click();
    const palette = page.getByRole('dialog', { name: LABEL });
    await expect(palette.getByRole('menuitem', { name: 'Send Payroll' })).toBeVisible();
    await expectFineInLooks(page, looks);
    await palette.getByRole('button', { name: 'All shortcuts' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});
