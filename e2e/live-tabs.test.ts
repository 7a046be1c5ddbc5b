import type { Page } from '@playwright/test';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('the tabs of a browser share one live stream, and one that closes hands over', async ({
  page,
  context,
  company,
}) => {
  const api = await apiAs(await company.createAdmin());
  await signIn(context, await company.createAdmin());
  /** Pages that asked for the stream. One asks again where the server was busy. */
  const streaming = new Set<Page | null>();
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/events') streaming.add(request.frame().page());
  });
  const address = () => `${crypto.randomUUID()}@purser.test`;
  const invite = async (email: string) => ask(api, 'adminCreateInvite', { body: { email } });
  const settings = '/admin/settings?tab=security';

  await page.goto(settings);
  const second = await context.newPage();
  await second.goto(settings);
  const one = address();
  await expect(second.getByRole('table', { name: 'Admin invites' })).toBeVisible();
  await invite(one);
  await expect(page.getByRole('row').filter({ hasText: one })).toBeVisible();
  await expect(second.getByRole('row').filter({ hasText: one })).toBeVisible();
  expect(streaming.size).toBe(1);

  await page.close();
  await expect.poll(() => streaming.size).toBe(2);
  const two = address();
  await invite(two);
  await expect(second.getByRole('row').filter({ hasText: two })).toBeVisible();
});
