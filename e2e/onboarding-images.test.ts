import type { Locator, Page } from '@playwright/test';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { picture } from '#test/factories/images.ts';
import { expectAccessible } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

interface Sent {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** As a person could: not while another image is on its way. */
async function choose(page: Page, file: Sent): Promise<void> {
  const input = page.getByLabel('Front of ID', { exact: true });
  await expect(input).toBeEnabled();
  await input.setInputFiles(file);
}

function alertOf(page: Page, message: string): Locator {
  return page.getByRole('alert').filter({ hasText: message });
}

test.beforeEach(async ({ page, context, company, faults }) => {
  // Recording a trace reads the preview of a chosen image, which no script of ours may.
  faults.allow(/Connecting to 'blob:|connect-src stopped blob/);
  await signIn(context, await company.createEmployee());
  await page.goto('/onboarding?step=4');
});

test('files that are no images, or too large, are refused before they leave', async ({ page }) => {
  const valid = 'Please select a valid image file (JPEG, PNG, or WebP)';
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await choose(page, { name: 'id.svg', mimeType: 'image/svg+xml', buffer: svg });
  await expect(alertOf(page, valid)).toBeVisible();
  await expectAccessible(page);

  const large = Buffer.alloc(MAX_IMAGE_BYTES + 1);
  await choose(page, { name: 'id.png', mimeType: 'image/png', buffer: large });
  await expect(alertOf(page, 'Image size must be less than 5MB')).toBeVisible();

  await choose(page, { name: 'id.jpg', mimeType: 'image/jpeg', buffer: await picture() });
  await expect(page.getByText('id.jpg has been uploaded successfully')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a file that only calls itself an image is refused by the server, and nothing is replaced', async ({
  page,
  faults,
}) => {
  faults.allowRefusal(422, '/api/kyc/documents/id_front');
  await choose(page, { name: 'right.jpg', mimeType: 'image/jpeg', buffer: await picture() });
  await expect(page.getByText('right.jpg has been uploaded successfully')).toBeVisible();
  // Its field is drawn again with it; nobody is quick enough to choose in between.
  await expect(page.getByText('right.jpg', { exact: true })).toBeVisible();
  const html = Buffer.from('<!doctype html><script>alert(1)</script>');
  await choose(page, { name: 'id.png', mimeType: 'image/png', buffer: html });
  await expect(
    alertOf(page, 'Please select a valid image file (JPEG, PNG, or WebP)'),
  ).toBeVisible();
  const whole = await picture('jpeg', { width: 900, height: 900, seed: 3 });
  await choose(page, {
    name: 'cut.jpg',
    mimeType: 'image/jpeg',
    buffer: whole.subarray(0, Math.floor(whole.length / 2)),
  });
  await expect(alertOf(page, 'This image is damaged')).toBeVisible();
  await page.reload();
  await expect(page.getByText('right.jpg', { exact: true })).toBeVisible();
});

test('an image that is hard to read brings advice, and is taken', async ({ page }) => {
  const buffer = await picture('png', { seed: 0 });
  await choose(page, { name: 'night.png', mimeType: 'image/png', buffer });
  await expect(page.getByText('night.png has been uploaded successfully')).toBeVisible();
  await expect(
    page.getByText('This image may be hard to read: it looks blurred and it is rather dark.'),
  ).toBeVisible();
});

test('an upload that does not get through can be sent again', async ({ page, context, faults }) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await expect(page.getByLabel('ID Number')).toBeVisible();
  await context.setOffline(true);
  await choose(page, { name: 'id.png', mimeType: 'image/png', buffer: await picture('png') });
  await expect(alertOf(page, 'Failed to upload document')).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('id.png has been uploaded successfully')).toBeVisible();
});

test('an image can be dropped, and another replaces it', async ({ page, faults }) => {
  // A live stream that opens late has everything asked for again, the replaced image among it.
  faults.allowRefusal(404, '/api/kyc/documents/');
  faults.allowRefusal(404, '/api/documents/');
  const bytes = [...(await picture('webp'))];
  const dropped = await page.evaluateHandle((data) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(data)], 'front.webp', { type: 'image/webp' }));
    return transfer;
  }, bytes);
  const target = page.getByLabel('Front of ID', { exact: true });
  // The platform does this when a file is dropped on its file input.
  await target.evaluate((input, transfer) => {
    if (!(input instanceof HTMLInputElement)) return;
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, dropped);
  await expect(page.getByText('front.webp has been uploaded successfully')).toBeVisible();
  // Its field is drawn again with it; nobody is quick enough to choose in between.
  await expect(page.getByText('front.webp', { exact: true })).toBeVisible();
  // Its link and its picture are asked for once it is stored; after it is replaced both are refused.
  await expect(page.locator('img[src*="/api/documents/"]')).toHaveJSProperty('complete', true);
  await choose(page, { name: 'better.png', mimeType: 'image/png', buffer: await picture('png') });
  await expect(page.getByText('better.png has been uploaded successfully')).toBeVisible();
  await expect(page.getByText('front.webp', { exact: true })).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a photo can be taken', async ({ page }) => {
    const camera = page.getByLabel('Take a photo of the Front of ID');
    await expect(camera).toBeVisible();
    await expect(camera).toHaveAttribute('capture', 'environment');
    const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await picture() };
    await camera.setInputFiles(photo);
    await expect(page.getByText('photo.jpg has been uploaded successfully')).toBeVisible();
  });
});
