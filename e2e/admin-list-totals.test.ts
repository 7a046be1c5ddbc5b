import type { Page } from '@playwright/test';
import { signIn } from './support/people.ts';
import { expectLoaded } from './support/screens.ts';
import { untilIdle } from './support/shifts.ts';
import { expect, test } from './support/test.ts';

const COUNT = '**/api/admin/withdrawals/count*';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

/** Places of the pager and its Next, in pixels. */
async function placesOf(page: Page) {
  const next = pages(page).getByRole('button', { name: 'Next' });
  return { pager: await pages(page).boundingBox(), next: await next.boundingBox() };
}

test('rows and pages are there before the total, and nothing moves when it comes', async ({
  page,
}) => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(COUNT, async (route) => {
    await isReleased;
    await route.continue();
  });
  // Withdrawals of other tests do not come in between.
  await page.route('**/api/events?*', () => undefined);
  await page.goto('/admin/withdrawals');
  await expect(pages(page).getByRole('status')).toHaveText('Showing 1 to 15');
  await expect(page.getByRole('row')).toHaveCount(16);
  await expect(pages(page).getByRole('button', { name: 'Next' })).toBeEnabled();
  await expectLoaded(page);
  await untilIdle(page);
  const before = await placesOf(page);

  release();
  await expect(pages(page).getByRole('status')).toHaveText(/^Showing 1 to 15 of \d+ requests$/);
  expect(await placesOf(page)).toEqual(before);
});

test('a total that fails leaves rows and pages as they are', async ({ page, faults }) => {
  faults.allowRefusal(500, '/api/admin/withdrawals/count');
  const problem = { code: 'internal', status: 500, title: 'Something went wrong', requestId: 'x' };
  await page.route(COUNT, (route) => route.fulfill({ status: 500, json: problem }));
  await page.goto('/admin/withdrawals');
  await expect(pages(page).getByRole('status')).toHaveText('Showing 1 to 15');
  await pages(page).getByRole('button', { name: 'Next' }).click();
  await expect(pages(page).getByRole('status')).toHaveText(/^Showing 16 to \d+/);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a page past the end says so and leads back', async ({ page }) => {
  await page.goto('/admin/withdrawals?page=900');
  await expect(page.getByText('Nothing on this page')).toBeVisible();
  await expect(pages(page).getByRole('status')).toHaveText(/^Showing 0 to 0 of \d+ requests$/);
  await page.getByRole('button', { name: 'Go to the first page' }).click();
  await expect(page).toHaveURL(/withdrawals$/);
  await expect(pages(page).getByRole('status')).toHaveText(/^Showing 1 to 15/);
});

test('the last page shows the total by itself', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/withdrawals/count')) asked.push(request.url());
  });
  await page.goto('/admin/withdrawals?status=processing');
  await expect(pages(page).getByRole('status')).toHaveText(/^Showing 1 to (\d+) of \1 requests$/);
  expect(asked).toEqual([]);
});
