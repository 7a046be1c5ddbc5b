import type { Page } from '@playwright/test';
import type { RouteArguments } from '#contract/api.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { describeVisits, expectFineInLooks, inEachLook } from './support/looks.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

type Wanted = Partial<RouteArguments<'adminListReviewQueue'>['query']>;

/** Opens the desk with the first of the demo company's items that is as wanted. */
async function openDesk(page: Page, wanted: Wanted): Promise<void> {
  const { items } = await ask(await apiAs('admin'), 'adminListReviewQueue', {
    query: { ...wanted, sort: 'submitted', direction: 'asc' },
  });
  const [first] = items;
  await page.goto(`/admin/kyc-review?status=all&${first?.kind}=${first?.id}`);
  const desk = page.getByRole('dialog', { name: 'KYC review' });
  await expect(desk.getByRole('img')).toBeVisible();
}

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

describeVisits('the review queue', (looks) => {
  test('is accessible and fits', async ({ page }) => {
    await page.goto('/admin/kyc-review?status=all');
    await expect(page.getByText(/^Showing 1 to/)).toBeVisible();
    await expectFineInLooks(page, looks);
    await page.goto('/admin/kyc-review?search=nobody+is+called+that');
    await expect(page.getByText('No applications found')).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});

describeVisits('the review desk with an application', (looks) => {
  test('is accessible and fits, with its questions', async ({ page }) => {
    await openDesk(page, { kind: 'application', status: 'in_review' });
    await expectFineInLooks(page, looks);
    await page.keyboard.press('r');
    await expect(page.getByText('Rejection reason is required')).toBeVisible();
    await expectFineInLooks(page, looks);
    await page.getByRole('button', { name: 'Request resubmission' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request resubmission' });
    await dialog.getByLabel('Back of ID', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Request resubmission' }).click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});

describeVisits('the review desk with a returned application', (looks) => {
  test('is accessible and fits', async ({ page }) => {
    await openDesk(page, { kind: 'application', status: 'resubmit_required' });
    await expectFineInLooks(page, looks);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});

describeVisits('the review desk with wallet documents', (looks) => {
  test('is accessible and fits', async ({ page }) => {
    await openDesk(page, { kind: 'documents', status: 'rejected' });
    await inEachLook(page, looks, async () => {
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    });
  });
});
