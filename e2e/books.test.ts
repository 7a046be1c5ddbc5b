import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

for (const [who, home] of [
  ['maya', '/employee/dashboard'],
  ['admin', '/admin/dashboard'],
] as const) {
  test(`the books are reached from every page of ${who}, copied and printed`, async ({
    page,
    context,
  }) => {
    await signIn(context, who);
    await page.goto(home);
    await page
      .getByRole('contentinfo')
      .or(page.locator('.page-foot'))
      .getByRole('link', { name: 'Books' })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Books' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'Every cent has two sides.',
      'Nothing is changed.',
      'What is owed is at the bank.',
      'The newest seal',
      'How it is checked',
    ]);
    await expectAccessible(page);
    const seal = page.locator('.seal__root');
    await expect(seal.locator('span')).toHaveCount(16);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // Another test may have posted something: then a newer seal is shown.
    await expect(async () => {
      const groups = await seal.locator('span').allTextContents();
      expect(groups.join('')).toMatch(/^[0-9a-f]{64}$/);
      await page.getByRole('button', { name: 'Copy' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(groups.join(' '));
    }).toPass();
    await expect(page.getByText('Copied!').first()).toBeVisible();

    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    await expect(seal).toBeVisible();
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page).toHaveURL(new RegExp(home));
  });
}

test('somebody who is not signed in is led to sign in, and back to the books', async ({ page }) => {
  await page.goto('/books');
  await expect(page).toHaveURL(/\/onboarding\?return=%2Fbooks/);
});
