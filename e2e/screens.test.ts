import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { listsWiderThanTheirBox, signsOffTheirLine, unalignedColumns } from './support/fit.ts';
import { describeVisits, showIn } from './support/looks.ts';
import { signIn } from './support/people.ts';
import { refuseStorage } from './support/refusals.ts';
import { SCREENS, expectLoaded } from './support/screens.ts';
import { expectInPlace, watchShifts } from './support/shifts.ts';
import { smallFields, smallTargets, unstyledControls } from './support/targets.ts';
import { expect, test } from './support/test.ts';
import { amountsOf, translatePages } from './support/translation.ts';
import { faultyWidths, narrowestWidths } from './support/widths.ts';

/** Something that a screen shows under another address than its own, and words that are there then. */
const OTHER_ADDRESSES = [
  { path: '/admin/payroll?tab=history', title: 'Payroll Management', shown: 'Showing 1 to' },
  {
    path: '/admin/bank-accounts?status=all',
    title: 'Bank Account Verification',
    shown: 'Showing 1 to',
  },
  { path: '/admin/withdrawals?status=pending', title: 'Withdrawal Management', shown: null },
].map((address) => ({ ...address, who: 'admin' as const }));

const ADDRESSES = [...SCREENS.map((screen) => ({ ...screen, shown: null })), ...OTHER_ADDRESSES];

/** Checks that hold of a screen in every look. */
async function expectFine(page: Page, isMobile: boolean): Promise<void> {
  await expectLoaded(page);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect(await smallTargets(page, isMobile ? 44 : 40)).toEqual([]);
  expect(await unstyledControls(page)).toEqual([]);
  if (isMobile) expect(await smallFields(page)).toEqual([]);
  if (!isMobile) {
    expect(await signsOffTheirLine(page)).toEqual([]);
    expect(await unalignedColumns(page)).toEqual([]);
  }
}

/** Expects that a screen is there where storage is refused, with the same amounts where a browser translates it. */
async function expectFineElsewhere(
  page: Page,
  path: string,
  title: string | RegExp,
): Promise<void> {
  const other = await page.context().newPage();
  await refuseStorage(other);
  await translatePages(other);
  await other.goto(path);
  await expectLoaded(other);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(other.getByRole('alert')).toHaveCount(0);
  // Tests at the same time change what both show; each page reads a change after its live event.
  await expect(async () => {
    expect(await amountsOf(other)).toEqual(await amountsOf(page));
  }).toPass();
  await other.close();
}

// All that one visit can show, since it is opening a screen that takes the time.
for (const { path, title, shown, who } of ADDRESSES) {
  describeVisits(`the screen ${path}`, (looks) => {
    test('has its heading, is accessible, stays in place and fits', async ({
      page,
      context,
      isMobile,
    }) => {
      await signIn(context, who);
      if (!isMobile) await watchShifts(page);
      await page.goto(path);
      const heading = page.getByRole('heading', { level: 1 });
      if (title === null) await expect(heading).not.toBeEmpty();
      else await expect(heading).toHaveText(title);
      await expect(page).toHaveTitle(`${await heading.textContent()} \u00b7 Purser`);
      await expect(page).toHaveURL(path);
      await expectLoaded(page);
      if (shown !== null) await expect(page.getByText(shown).first()).toBeVisible();
      if (!isMobile) await expectInPlace(page);
      if (shown === null) {
        if (!isMobile) expect(await listsWiderThanTheirBox(page)).toEqual([]);
        await test.step('translated, without storage', () =>
          expectFineElsewhere(page, path, title ?? /./));
      }
      await expectFine(page, isMobile);
      if (!isMobile) {
        expect(await faultyWidths(page, await narrowestWidths(page))).toEqual([]);
      }
      for (const look of looks.slice(1)) {
        await test.step(look.name, async () => {
          await showIn(page, look);
          await expect(heading).toHaveText(title ?? /./);
          if (shown !== null) await expect(page.getByText(shown).first()).toBeVisible();
          await expectFine(page, look.use.isMobile);
        });
      }
    });
  });
}

test('the files of a screen are waited for in the frame', async ({ page, context }) => {
  await signIn(context, 'admin');
  await page.goto('/admin/settings');
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/withdrawals-*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Withdrawals' }).click();
  await expect(page.getByRole('main').getByText('Loading')).toBeAttached();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Withdrawal Management');
});

for (const [who, home] of [
  ['maya', '/employee/dashboard'],
  ['admin', '/admin/dashboard'],
] as const) {
  test(`the navigation of ${home} leads to every screen`, async ({ page, context }) => {
    await signIn(context, who);
    await page.goto(home);
    for (const screen of SCREENS) {
      if (screen.who !== who || screen.navigation === null) continue;
      const link = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: new RegExp(`^${screen.navigation.label}`) });
      await link.click();
      await expect(page).toHaveURL(screen.path);
      await expect(link).toHaveAttribute('aria-current', 'page');
    }
  });
}
