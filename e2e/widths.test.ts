import type { RouteReply } from '#contract/api.ts';
import { signIn } from './support/people.ts';
import { expectLoaded } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { ALL_WIDTHS, faultyWidths } from './support/widths.ts';

for (const count of [1, 2, 3, 4, 5, 6]) {
  test(`the dashboard with ${count} wallets fits every width`, async ({ page, context }) => {
    await signIn(context, 'maya');
    await page.route('**/api/wallets', async (route) => {
      const response = await route.fetch();
      const reply = (await response.json()) as RouteReply<'listWallets'>;
      const [first] = reply.accounts;
      if (first === undefined) throw new Error('the demo company has no wallets');
      const accounts = Array.from({ length: count }, (_, index) => ({
        ...(reply.accounts[index] ?? first),
        id: `${first.id.slice(0, -1)}${index}`,
        available: { ...first.available, minor: '999999999999' },
        balance: { ...first.available, minor: '1000000009999' },
        held: { ...first.available, minor: '10000' },
      }));
      await route.fulfill({ response, json: { ...reply, accounts } });
    });
    await page.goto('/employee/dashboard');
    await expectLoaded(page);
    await expect(page.getByRole('region', { name: 'Accounts' }).locator('.account')).toHaveCount(
      count,
    );
    expect(await faultyWidths(page, ALL_WIDTHS)).toEqual([]);
  });
}

for (const mode of ['Create an account', 'Sign in']) {
  test(`the form to ${mode.toLowerCase()} fits every width`, async ({ page }) => {
    await page.goto('/onboarding');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const change = page.getByRole('button', { name: mode, exact: true });
    if (await change.isVisible()) await change.click();
    expect(await faultyWidths(page, ALL_WIDTHS)).toEqual([]);
  });
}

for (const [who, path] of [
  ['maya', '/employee/history'],
  ['admin', '/admin/withdrawals'],
  ['admin', '/admin/transactions'],
] as const) {
  test(`an amount of ten digits fits every figure of ${path}`, async ({ page, context }) => {
    await signIn(context, who);
    await page.route(/\/api\/(?!session|events)/, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      const json: unknown = JSON.parse(await response.text(), (key, value: unknown) =>
        key === 'minor' ? String(value).replace(/\d+/, '999999999999') : value,
      );
      return route.fulfill({ response, json });
    });
    await page.goto(path);
    await expectLoaded(page);
    await expect(page.locator('.figure').first()).toBeVisible();
    await expect(page.locator('.figures')).toContainText('$9,999,999,999.99');
    expect(await faultyWidths(page, ALL_WIDTHS)).toEqual([]);
  });
}
