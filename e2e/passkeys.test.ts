import { expectAccessible } from './support/accessible.ts';
import { logOut } from './support/people.ts';
import { PORT } from './support/place.ts';
import { expect, test } from './support/test.ts';

/** The address of the server by its name: a passkey belongs to one, and never to a number. */
const HERE = `http://localhost:${PORT}`;

test('a passkey is added, signs in without a password or code, confirms, is renamed and removed', async ({
  company,
  page,
  faults,
}) => {
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const person = await company.createEmployee({ isApproved: true });
  await page.goto(`${HERE}/login`);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/employee/);
  await page.goto(`${HERE}/employee/profile?tab=security`);
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill('My laptop');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add Passkey' }).click();
  await expect(section.getByText('My laptop')).toBeVisible();
  await expect(section.getByText('never used')).toBeVisible();

  await logOut(page, faults);
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await page.goto(`${HERE}/login`);
  await page.getByRole('button', { name: 'Sign in with a Passkey' }).click();
  await expect(page).toHaveURL(/employee/);
  await page.goto(`${HERE}/employee/profile?tab=security`);
  await expect(section.getByText('last used')).toBeVisible();
  await expectAccessible(page);
  await section.getByRole('button', { name: 'Rename My laptop' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename passkey' });
  await renaming.getByLabel('Name').fill('Work laptop');
  // Later, when signing in confirms no more.
  faults.allowRefusal(403, '/api/auth/passkeys');
  await company.db
    .updateTable('authSession')
    .set({ confirmedAt: null })
    .where('userId', '=', person.id)
    .execute();
  await renaming.getByRole('button', { name: 'Rename Passkey' }).click();
  const asked = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Confirm with a Passkey' }).click();
  await expect(section.getByText('Work laptop')).toBeVisible();
  await expect(renaming).toBeHidden();
  await section.getByRole('button', { name: 'Remove Work laptop' }).click();
  await page.getByRole('button', { name: 'Remove Passkey' }).click();
  await expect(section.getByText('Work laptop')).toBeHidden();
});
