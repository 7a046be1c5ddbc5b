import type { Page } from '@playwright/test';
import { ADMIN_SCREENS, EMPLOYEE_SCREENS } from '#web/screens.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { describeLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Every screen of the table, with somebody of the demo company who may see it. */
const SCREENS = [
  ...Object.values(EMPLOYEE_SCREENS).map((screen) => ({ ...screen, who: 'maya' as const })),
  ...Object.values(ADMIN_SCREENS).map((screen) => ({ ...screen, who: 'admin' as const })),
];

/** Waits until nothing of the screen is on its way any more. */
async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('main .skel, main [aria-busy="true"]')).toHaveCount(0);
}

for (const { path, title, navigation, who } of SCREENS) {
  describeLooks(`the screen ${path}`, () => {
    test('has its heading, is accessible and fits', async ({ page, context }) => {
      await signIn(context, who);
      await page.goto(path);
      const heading = page.getByRole('heading', { level: 1 });
      if (title === null) await expect(heading).not.toBeEmpty();
      else await expect(heading).toHaveText(title);
      await expect(page).toHaveTitle(`${await heading.textContent()} \u00b7 Purser`);
      await expect(page).toHaveURL(path);
      await expectLoaded(page);
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });

  if (navigation !== null) {
    test(`the navigation leads to ${path}`, async ({ page, context }) => {
      await signIn(context, who);
      await page.goto(who === 'admin' ? '/admin/dashboard' : '/employee/dashboard');
      const link = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: new RegExp(`^${navigation.label}`) });
      await link.click();
      await expect(page).toHaveURL(path);
      await expect(link).toHaveAttribute('aria-current', 'page');
    });
  }
}
