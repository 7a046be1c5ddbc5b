import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('on a phone the queue comes before the rules', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(context, 'admin');
  await page.goto('/admin/kyc-review');
  const table = page.getByRole('table');
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  const rules = page.getByRole('link', { name: 'Identity rules' });
  await expect(rules).toBeVisible();
  // Both at one moment: other tests add to the queue.
  await expect
    .poll(() =>
      rules.evaluate((link) => {
        const queue = document.querySelector('main table');
        return (
          queue !== null && link.getBoundingClientRect().top > queue.getBoundingClientRect().bottom
        );
      }),
    )
    .toBe(true);
});
