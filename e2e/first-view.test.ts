import type { BrowserContext, Page } from '@playwright/test';
import { DEVICE_COOKIES } from '#contract/first-view.ts';
import { loseSession, signIn } from './support/people.ts';
import type { Who } from './support/people.ts';
import { BASE_URL } from './support/place.ts';
import { expect, test } from './support/test.ts';

const SCREENS: readonly { path: string; who?: Who }[] = [
  { path: '/onboarding' },
  { path: '/onboarding?step=4', who: 'sam' },
  { path: '/employee/dashboard', who: 'maya' },
  { path: '/admin/dashboard', who: 'admin' },
  { path: '/admin/payroll', who: 'admin' },
];

/** Sets the device of a context, as the app did on an earlier visit. */
async function setDevice(context: BrowserContext, amounts: 'shown' | 'hidden'): Promise<void> {
  await context.addCookies([{ name: DEVICE_COOKIES.amounts, value: amounts, url: BASE_URL }]);
}

/** True if the server drew that page: where it is busy, it leaves that to the app. */
const isDrawn = async (reply: { text: () => Promise<string> } | null) =>
  (await reply?.text())?.includes('class="first-view"') ?? false;

/**
 * Opens a page that the server drew, and keeps the app from starting.
 *
 * @returns starts the app, and waits until it has taken over
 */
async function openHeld(page: Page, path: string): Promise<() => Promise<void>> {
  const started = Promise.withResolvers<void>();
  await page.route('**/start-late-*', async (route) => {
    await started.promise;
    await route.continue();
  });
  await expect.poll(async () => isDrawn(await page.request.get(path))).toBe(true);
  await page.route(`**${path}`, async (route) => {
    let response = await route.fetch();
    while (!(await isDrawn(response))) response = await route.fetch();
    await route.fulfill({ response });
  });
  const shown = page.goto(path);
  // This visit is not awaited if the page is opened once more.
  shown.catch(() => undefined);
  await expect(page.locator('.first-view h1')).toBeVisible();
  return async () => {
    started.resolve();
    await shown;
  };
}

/** All words, those that are hidden included. */
const wordsOf = async (page: Page, selector: string) =>
  (await page.locator(selector).textContent())?.replace(MEASURED, '');
/** Words next to accounts that scroll, which only the browser can know. */
const MEASURED = /\d of \d(?=Last Deposit)/;

for (const { path, who } of SCREENS) {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    test(`the first view of ${path} at ${width} px is what the app shows`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      if (who !== undefined) await signIn(page.context(), who);
      await setDevice(page.context(), 'shown');
      // No live events here: acts of others in this company would make the app ask again.
      await page.route('**/api/events?*', () => undefined);
      const asked: string[] = [];
      page.on('request', (request) => {
        const address = request.url().slice(BASE_URL.length);
        if (address.startsWith('/api/')) asked.push(address);
      });

      // Replies that are older than five seconds are asked for again: on a busy machine the page is opened once more.
      await expect(async () => {
        asked.length = 0;
        const start = await openHeld(page, path);
        const drawn = await wordsOf(page, '.first-view');
        const title = await page.title();
        await start();

        await expect(page.locator('#root h1')).toBeVisible();
        expect(await wordsOf(page, '#root')).toBe(drawn);
        expect(await page.title()).toBe(title);
        // The app asks for none of it again.
        const others = asked.filter((address) => !/^\/api\/(?:events|documents)/.test(address));
        expect(others).toEqual([]);
      }).toPass();
    });
  }
}

test('the first view cannot be pressed or typed into before the app is there', async ({ page }) => {
  const start = await openHeld(page, '/onboarding');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  const name = page.locator('.first-view input').first();
  await expect(name.click({ timeout: 1_000 })).rejects.toThrow('Timeout');
  await start();
  await page.getByLabel('First name').fill('Ann');
  await expect(page.getByLabel('First name')).toHaveValue('Ann');
});

test('an app that does not arrive is reported, with a way to try again', async ({
  page,
  faults,
}) => {
  faults.allow(/Failed to load resource: net::ERR_FAILED/);
  let isBroken = true;
  await page.route('**/assets/index-*.js', (route) =>
    isBroken ? route.abort() : route.continue(),
  );
  const start = await openHeld(page, '/onboarding');
  void start().catch(() => undefined);
  await expect(page.getByRole('alert')).toContainText('Purser could not be loaded.');
  isBroken = false;
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByLabel('First name').fill('Ann');
});

test('amounts that a device hides are in no page that it gets', async ({ page }) => {
  await signIn(page.context(), 'maya');
  await setDevice(page.context(), 'shown');
  await page.goto('/employee/dashboard');
  await page.getByRole('button', { name: 'Hide amounts' }).click();
  expect(await isDrawn(await page.goto('/employee/dashboard'))).toBe(false);
  await expect(page.locator('.balance').first()).toContainText('Amount hidden');

  await page.getByLabel('Show amounts').click();
  await expect.poll(async () => isDrawn(await page.goto('/employee/dashboard'))).toBe(true);
});

test('each person gets a page of their own, whoever else opens it at that moment', async ({
  page,
  takeContext,
}) => {
  await signIn(page.context(), 'maya');
  await setDevice(page.context(), 'shown');
  const visitor = await takeContext();
  const of = (context: BrowserContext, path: string) =>
    context.request.get(`${BASE_URL}${path}`).then((reply) => reply.text());
  const pages = await Promise.all(
    Array.from({ length: 6 }, async (_, index) =>
      index % 2 === 0
        ? { isMine: true, text: await of(page.context(), '/employee/dashboard') }
        : { isMine: false, text: await of(visitor, '/onboarding') },
    ),
  );
  for (const { isMine, text } of pages) {
    if (!isMine) expect(text).not.toContain('Maya');
    // Under a rush some come without.
    else if (text.includes('first-view')) expect(text).toContain('Hi, Maya!');
  }
});

test('no page of a session that has ended is kept', async ({ page, faults }) => {
  await signIn(page.context(), 'maya');
  await setDevice(page.context(), 'shown');
  await expect(async () => {
    const reply = await page.goto('/employee/dashboard');
    expect(reply?.headers()['cache-control']).toBe('no-store');
  }).toPass();
  await loseSession(page.context(), faults);
  await page.goto('/onboarding');
  await page.goBack();
  await expect(page).toHaveURL(/\/onboarding/);
  await expect(page.getByText('Hi, Maya!')).toHaveCount(0);
});
