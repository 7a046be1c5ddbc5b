import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '#server/lib/free-port.ts';
import { startServerProcess } from '#test/server-process.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { DATA_DIR } from './support/place.ts';
import { expect, test } from './support/test.ts';

const PASSWORD = 'Lantern-harbor-2026';

test('an empty company is set up by its first admin, who leaves and comes back', async ({
  page,
  faults,
}) => {
  // The first change asks for the password.
  faults.allowRefusal(403, '/api/admin/settings');
  const dataDir = mkdtempSync(join(dirname(DATA_DIR), 'first-run-'));
  // Under root PostgreSQL is another user, which has to pass through.
  chmodSync(dataDir, 0o711);
  const server = await startServerProcess({ PURSER_DATA: dataDir, PORT: String(await freePort()) });
  try {
    // Printed after the line by which it says that it is ready.
    const token = () => /^ {2}(\S{20,})$/m.exec(server.said())?.[1] ?? '';
    await expect.poll(token).not.toBe('');
    await page.goto(`${server.origin}/signup`);
    await page.getByLabel('First Name').fill('Renee');
    await page.getByLabel('Last Name').fill('Abara');
    await page.getByLabel('Email').fill('renee@tallisreed.example');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Personal Information');
    await page.goto(`${server.origin}/admin/setup`);
    await page.getByLabel('Invite Token').fill(token());
    await page.getByRole('button', { name: 'Redeem Invite' }).click();

    await expect(page.getByText('Step 1 of 6', { exact: true })).toBeVisible();
    await page.getByLabel('Company name').fill('Tallis & Reed');
    await page.getByLabel('Support email').fill('nowhere');
    const save = page.getByRole('button', { name: 'Save and Continue' });
    await save.click();
    await expect(page.getByRole('alert')).toContainText('Please check the settings');
    await expect(page.getByLabel('Company name'), 'nothing typed is lost').toHaveValue(
      'Tallis & Reed',
    );
    await expectAccessible(page);
    await page.getByLabel('Support email').fill('help@tallisreed.example');
    await save.click();
    const confirm = page.getByRole('dialog');
    await confirm.getByLabel('Password').fill(PASSWORD);
    await confirm.getByRole('button', { name: 'Confirm' }).click();

    await expect(page.getByText('Step 2 of 6', { exact: true })).toBeVisible();
    await page.getByLabel('Currency', { exact: true }).selectOption('EUR');
    await save.click();
    await expect(page.getByText('Step 3 of 6', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Leave for Now' }).click();
    await page.getByRole('link', { name: 'Continue Set-up' }).click();
    await expect(page.getByText('Step 3 of 6', { exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
    for (const step of [3, 4, 5, 6]) {
      await expect(page.getByText(`Step ${step} of 6`, { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Skip This Step' }).click();
    }
    await expect(page.getByText('The set-up was finished by Renee Abara.')).toBeVisible();
    await page.goto(`${server.origin}/admin/dashboard`);
    await expect(page.getByRole('heading', { name: 'Upcoming Payroll' })).toBeVisible();
    await expect(page.getByText('The company is not set up yet.')).toHaveCount(0);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
