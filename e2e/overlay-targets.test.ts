import { randomUUID } from 'node:crypto';
import { submittedApplication } from '#test/factories/kyc.ts';
import { signIn } from './support/people.ts';
import { OF_OVERLAY, smallTargets } from './support/targets.ts';
import { expect, test } from './support/test.ts';

// A finger needs 44 pixels.
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test('what is open over a screen of an employee can be pressed by a finger', async ({
  page,
  context,
}) => {
  await signIn(context, 'maya');
  await page.goto('/employee/history?type=payroll');
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
  expect(await smallTargets(page, 44, OF_OVERLAY)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('table').locator('tbody').getByRole('button').first().click();
  const details = page.getByRole('dialog', { name: 'Transaction details' });
  await expect(details.getByRole('button', { name: 'Copy reference' })).toBeVisible();
  expect(await smallTargets(page, 44, OF_OVERLAY)).toEqual([]);
});

test.describe('with a mouse', () => {
  test.use({ viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false });

  test('what copies a fact of a transaction is as high as other buttons', async ({
    page,
    context,
  }) => {
    await signIn(context, 'maya');
    await page.goto('/employee/history?type=payroll');
    await page.getByRole('table').locator('tbody').getByRole('button').first().click();
    const details = page.getByRole('dialog', { name: 'Transaction details' });
    await expect(details.getByRole('button', { name: 'Copy reference' })).toBeVisible();
    expect(await smallTargets(page, 40, OF_OVERLAY)).toEqual([]);
  });
});

test('the review desk can be used by a finger', async ({ page, context, company }) => {
  await signIn(context, 'admin');
  const owner = await company.createEmployee({
    firstName: 'Mai',
    lastName: 'Fingers',
    // So long that the second link of the head lies over its buttons.
    email: `mai.${randomUUID().slice(0, 6)}@purser.test`,
  });
  await submittedApplication(company.db, company.services, owner.by);
  await page.goto('/admin/kyc-review?search=mai+fingers');
  await page.getByRole('button', { name: 'Open application of Mai Fingers' }).first().click();
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await expect(desk.getByRole('button', { name: 'Add note' })).toBeVisible();
  expect(await smallTargets(page, 44, '[role="dialog"] button')).toEqual([]);
});

test('filters of payouts show their whole words', async ({ page, context }) => {
  await signIn(context, 'admin');
  await page.goto('/admin/payouts');
  for (const label of ['Destination', 'Effective']) {
    const select = page.getByLabel(label, { exact: true });
    await expect(select).toBeVisible();
    // The select is as wide as the longest of its words.
    const room = await select.evaluate((element: HTMLSelectElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(element);
      const canvas = document.createElement('canvas').getContext('2d');
      if (canvas === null) throw new Error('no canvas');
      canvas.font = font;
      const longest = Math.max(
        ...[...element.options].map((option) => canvas.measureText(option.text).width),
      );
      return (
        element.clientWidth -
        Number.parseFloat(paddingLeft) -
        Number.parseFloat(paddingRight) -
        longest
      );
    });
    expect(room, label).toBeGreaterThan(-1);
  }
});
