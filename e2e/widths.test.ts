import type { Page } from '@playwright/test';
import type { RouteReply } from '#contract/api.ts';
import { signIn } from './support/people.ts';
import { SCREENS, expectLoaded } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const NARROWEST = 320;
const WIDEST = 1600;
const STEP = 32;

/**
 * At which widths the page is wider than the window, or something in a sheet reaches out of it. One
 * page is resized, which is quick; 200 % zoom of 1440 px is the same as 720 px.
 */
async function faultyWidths(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (let width = NARROWEST; width <= WIDEST; width += STEP) {
    await page.setViewportSize({ width, height: 900 });
    const fault = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth > clientWidth) return `page by ${scrollWidth - clientWidth} px`;
      for (const box of document.querySelectorAll<HTMLElement>('.account, .notice, .figure')) {
        if (box.scrollWidth > box.clientWidth + 1) {
          return `${box.className} by ${box.scrollWidth - box.clientWidth} px`;
        }
      }
      return null;
    });
    if (fault !== null) faults.push(`${width} px: ${fault}`);
  }
  return faults;
}

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
        available: { ...first.available, minor: '1234567890' },
        balance: { ...first.available, minor: '1234577890' },
        held: { ...first.available, minor: '10000' },
      }));
      await route.fulfill({ response, json: { ...reply, accounts } });
    });
    await page.goto('/employee/dashboard');
    await expectLoaded(page);
    await expect(page.getByRole('region', { name: 'Accounts' }).locator('.account')).toHaveCount(
      count,
    );
    expect(await faultyWidths(page)).toEqual([]);
  });
}

for (const mode of ['Create an account', 'Sign in']) {
  test(`the form to ${mode.toLowerCase()} fits every width`, async ({ page }) => {
    await page.goto('/onboarding');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const change = page.getByRole('button', { name: mode, exact: true });
    if (await change.isVisible()) await change.click();
    expect(await faultyWidths(page)).toEqual([]);
  });
}

for (const { who, path } of SCREENS) {
  test(`${path} fits every width`, async ({ page, context }) => {
    await signIn(context, who);
    await page.goto(path);
    await expectLoaded(page);
    expect(await faultyWidths(page)).toEqual([]);
  });
}
