import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { describeLooks } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { SCREENS, expectLoaded } from './support/screens.ts';
import { expect, test } from './support/test.ts';

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
