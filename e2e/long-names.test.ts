import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './support/accessible.ts';
import { credentialsOf, signIn } from './support/people.ts';
import { expectLoaded } from './support/screens.ts';
import { untilIdle } from './support/shifts.ts';
import { expect, test } from './support/test.ts';

/** 65 characters, as long as names are known to become. */
const LONG_NAME = 'Wilhelmina Alexandrina Konstantinopoulos-Featherstonehaugh Junior';
const LONG_BANK = 'The First Cascade Federal Credit Union of the Greater Puget Sound';

const LONG_WORDS: Readonly<Record<string, string>> = {
  name: LONG_NAME,
  employeeName: LONG_NAME,
  accountHolderName: LONG_NAME,
  bankName: LONG_BANK,
};

/** Gives every person and bank of every reply a long name. */
async function lengthenNames(page: Page): Promise<void> {
  // Rows that other tests add or decide would move what is measured or pointed at.
  await page.route('**/api/events?*', () => undefined);
  await page.route(/\/api\/(?!session|events)/, async (route) => {
    if (route.request().method() !== 'GET' && !route.request().url().includes('preview')) {
      return route.fallback();
    }
    const response = await route.fetch();
    if (response.headers()['content-type']?.includes('json') !== true) {
      return route.fulfill({ response });
    }
    const json: unknown = JSON.parse(await response.text(), (key, value: unknown) =>
      typeof value === 'string' ? (LONG_WORDS[key] ?? value) : value,
    );
    return route.fulfill({ response, json });
  });
}

/** Parts of the lists' rows that a person cannot see: outside the window, outside their box, or under something. */
function hiddenParts(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((wanted) => {
    const hidden: string[] = [];
    for (const part of document.querySelectorAll<HTMLElement>(wanted)) {
      if (part.getClientRects().length === 0) continue;
      part.scrollIntoView({ block: 'center', inline: 'nearest' });
      for (const box of document.querySelectorAll('.table-wrap')) box.scrollLeft = 0;
      const { left, right, top, bottom } = part.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      const isSeen = [left + 2, right - 2].every((x) => {
        const hit = document.elementFromPoint(x, middle);
        return hit !== null && (part.contains(hit) || hit.contains(part));
      });
      if (!isSeen)
        hidden.push(`${part.textContent} at ${Math.round(left)} to ${Math.round(right)}`);
    }
    return hidden;
  }, selector);
}

const ACTIONS = 'tbody .table__acts .btn';
const AMOUNTS = '.table .money, .activity-list .money, .upcoming .money';
const STATUSES = '.table .status';

const LISTS = [
  { name: 'bank accounts', path: '/admin/bank-accounts' },
  { name: 'the review queue', path: '/admin/kyc-review' },
  { name: 'withdrawals', path: '/admin/withdrawals' },
  { name: 'payroll', path: '/admin/payroll' },
  { name: 'payroll history', path: '/admin/payroll?tab=history' },
  { name: 'the directory', path: '/admin/employees' },
  { name: 'the dashboard', path: '/admin/dashboard' },
];

for (const { name, path } of LISTS) {
  test(`long names leave amounts and actions of ${name} in view`, async ({ page, context }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(context, 'admin');
    await lengthenNames(page);
    if (path === '/admin/dashboard') {
      // Coming from another screen, the app asks for what the server otherwise draws.
      await page.goto('/admin/settings');
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
      // Nothing is under the pointer that would show its whole name over the actions.
      await page.mouse.move(0, 0);
    } else {
      await page.goto(path);
    }
    await expectLoaded(page);
    if (path === '/admin/payroll') {
      await page.getByLabel('Wallet Type').selectOption({ index: 1 });
      await page.getByLabel('Department').selectOption({ index: 1 });
      await page.getByRole('textbox', { name: 'Amount' }).fill('1000');
      await page.getByLabel('Description').fill('December');
      await expect(page.getByRole('table', { name: 'Who will be paid' })).toBeVisible();
    }
    await expect(page.locator('main')).toContainText(LONG_NAME);
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await untilIdle(page);
      const wanted = width === 1440 ? [ACTIONS, AMOUNTS, STATUSES] : [ACTIONS, AMOUNTS];
      expect(await hiddenParts(page, wanted.join(', ')), `at ${width} px`).toEqual([]);
      await expectNoSidewaysScroll(page);
    }
  });
}

test('long names leave the amounts of an employee\u2019s page in view', async ({
  page,
  context,
}) => {
  await signIn(context, 'admin');
  await lengthenNames(page);
  // The address finds her alone: another test has an employee of the same name.
  await page.goto(`/admin/employees?search=${credentialsOf('maya').email}`);
  await page.getByRole('link', { name: `Open ${LONG_NAME}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(LONG_NAME);
  await expectLoaded(page);
  for (const width of [1440, 1280, 641, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await untilIdle(page);
    expect(await hiddenParts(page, AMOUNTS), `at ${width} px`).toEqual([]);
    await expectNoSidewaysScroll(page);
  }
});

test('a payslip shows all of its amounts on a phone, also with long names', async ({
  page,
  context,
  company,
}) => {
  // Paid today: in the first days of a year the demo's people have no payslip of it.
  await signIn(context, await company.createEmployee({ fundedMinor: 231_200n }));
  await lengthenNames(page);
  await page.goto('/employee/documents');
  await page
    .getByRole('link', { name: /^Open payslip/ })
    .first()
    .click();
  const paper = page.getByRole('article');
  await expect(paper.locator('.paper__company')).toHaveText(LONG_NAME);
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await untilIdle(page);
    expect(await hiddenParts(page, '.paper .money'), `at ${width} px`).toEqual([]);
    const sideways = await paper
      .locator('.table-wrap')
      .evaluateAll((boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth));
    expect(
      sideways.filter((by) => by > 0),
      `at ${width} px`,
    ).toEqual([]);
    await expectNoSidewaysScroll(page);
  }
});

test('a name that is cut is shown whole on pointing at it and on focus', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(context, 'admin');
  await lengthenNames(page);
  await page.goto('/admin/bank-accounts');
  await expectLoaded(page);
  const bank = page.locator('tbody .clipped', { hasText: LONG_BANK }).first();
  await bank.hover();
  await expect(page.getByRole('tooltip')).toHaveText(LONG_BANK);
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await bank.focus();
  await expect(page.getByRole('tooltip')).toHaveText(LONG_BANK);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});
