import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('on a phone the queue comes before the rules', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(context, 'admin');
  await page.goto('/admin/kyc-review');
  const table = page.getByRole('table');
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  const queue = await table.boundingBox();
  const rules = await page.getByRole('link', { name: 'Identity rules' }).boundingBox();
  expect(rules?.y).toBeGreaterThan((queue?.y ?? 0) + (queue?.height ?? 0));
});
