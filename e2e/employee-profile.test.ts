import { picture } from '#test/factories/images.ts';
import { expectAccessible } from './support/accessible.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { receiveMail } from './support/mails.ts';
import { signIn, signInElsewhere } from './support/people.ts';
import { expect, test } from './support/test.ts';

const NEW_PASSWORD = 'Another-one-2';

test('the password is changed, and whoever is signed in elsewhere is signed out', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee();
  await signIn(context, person);
  const elsewhere = await signInElsewhere(person);
  await page.goto('/employee/dashboard');
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('tab', { name: 'Security' }).click();
  const places = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(places.getByRole('listitem')).toHaveCount(2);
  await expect(places.getByText('This browser')).toHaveCount(1);

  const current = page.getByLabel('Current Password');
  const chosen = page.getByLabel('New Password', { exact: true });
  const repeated = page.getByLabel('Confirm New Password');
  const change = page.getByRole('button', { name: 'Change Password' });
  await test.step('errors are shown next to the fields', async () => {
    await chosen.fill('Short1');
    await repeated.fill('Other');
    await change.click();
    await expect(page.getByText('Enter your current password')).toBeVisible();
    await expect(page.getByText('Password must be at least 8 characters long.')).toBeVisible();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
  });
  await test.step('a wrong present password is refused, and nothing typed is lost', async () => {
    faults.allowRefusal(422, '/api/auth/change-password');
    await current.fill('Wrong-purser-1');
    await chosen.fill(NEW_PASSWORD);
    await repeated.fill(NEW_PASSWORD);
    await change.click();
    await expect(page.getByText('Invalid password')).toBeVisible();
    await expect(current).toHaveAttribute('aria-invalid', 'true');
    await expect(current).toBeFocused();
    await expect(chosen).toHaveValue(NEW_PASSWORD);
  });
  await current.fill(person.password);
  await change.click();
  await expect(page.getByText('Password Changed', { exact: true })).toBeVisible();
  await expect(current).toHaveValue('');
  await expect(places.getByRole('listitem')).toHaveCount(1);
  expect((await elsewhere.get('/api/wallets')).status()).toBe(401);

  await page.reload();
  await expect(page.getByRole('tab', { name: 'Security' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await signInElsewhere({ ...person, password: NEW_PASSWORD });
});

test('the address is changed by a link to the new one, and taken back from the former', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ isApproved: true });
  await signIn(context, person);
  await page.goto('/employee/profile?tab=security');
  const section = page.getByRole('region', { name: 'Email Address' });
  const field = section.getByLabel('New Email');
  const change = section.getByRole('button', { name: 'Change Email' });
  await change.click();
  await expect(section.getByText('Enter a valid email address')).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill(`mistyped-${person.email}`);
  await change.click();
  await section.getByRole('button', { name: 'Withdraw This Change' }).click();
  await expect(section.getByText('Open the link that we sent')).toBeHidden();
  const email = `new-${person.email}`;
  await field.fill(email);
  await change.click();
  await expect(section.getByText(`Open the link that we sent to ${email}`)).toBeVisible();
  await expect(field).toHaveValue('');

  await page.goto(linkIn(await receiveMail(email, 'Confirm your new email'), 'email'));
  // A scanner of mail, which runs scripts and presses nothing, changes nothing.
  await page.getByRole('button', { name: 'Confirm New Email' }).click();
  await expect(page.getByText('Your email address is changed.')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/employee/dashboard');

  await page.goto(linkIn(await receiveMail(person.email, 'address was changed'), 'notme'));
  await page.getByRole('button', { name: 'This Was Not Me' }).click();
  await expect(page.getByText('Your payouts are frozen')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
});

/** Address that a mail's link leads to, on this server. */
function linkIn(mail: string, name: string): string {
  const link = new RegExp(`http:\\S+/onboarding\\?${name}=[\\w-]+`).exec(mail)?.[0] ?? '';
  const { pathname, search } = new URL(link);
  return pathname + search;
}

test('another browser is signed out from here, one or all', async ({ page, context, company }) => {
  const person = await company.createEmployee();
  const others = [
    await signInElsewhere(person),
    await signInElsewhere(person),
    await signInElsewhere(person),
  ];
  const alive = async () => {
    const replies = await Promise.all(others.map((other) => other.get('/api/wallets')));
    return replies.filter((reply) => reply.ok()).length;
  };
  await signIn(context, person);
  await page.goto('/employee/profile?tab=security');
  const places = page.getByRole('region', { name: 'Where you are signed in' });
  await expect(places.getByRole('listitem')).toHaveCount(4);
  await places
    .getByRole('button', { name: /^Sign out Unknown browser/ })
    .first()
    .click();
  await expect(places.getByRole('listitem')).toHaveCount(3);
  expect(await alive()).toBe(2);
  await places.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out everywhere else?' });
  await expect(question).toContainText('2 other browsers are signed out');
  await question.getByRole('button', { name: 'Stay Signed In' }).click();
  expect(await alive()).toBe(2);
  await places.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await question.getByRole('button', { name: 'Sign Out Everywhere Else' }).click();
  await expect(places.getByRole('listitem')).toHaveCount(1);
  await expect(places.getByText('This browser')).toBeVisible();
  expect(await alive()).toBe(0);
});

describeVisits('the security of the profile', (looks) => {
  test('is accessible and fits', async ({ page, context, company }) => {
    const person = await company.createEmployee();
    await signIn(context, person);
    await signInElsewhere(person);
    await page.goto('/employee/profile?tab=security');
    await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeVisible();
    await expectFineInLooks(page, looks);
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByText('Enter your current password')).toBeVisible();
    await expectFineInLooks(page, looks);
  });
});

test('a photo takes the place of the initials, also where administrators see it', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ firstName: 'Ines', lastName: 'Portrait' });
  await signIn(context, person);
  await page.goto('/employee/profile');
  const inTopBar = page.getByRole('banner').getByRole('img', { name: 'Ines Portrait' });
  await expect(inTopBar).toHaveText('IP');
  const buffer = await picture('jpeg', { seed: 9 });
  await page
    .getByLabel('Change Photo')
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer });
  await expect(page.getByText('Photo changed')).toBeVisible();
  await expect(inTopBar.locator('img')).toHaveJSProperty('naturalWidth', 256);
  await expectAccessible(page);

  // A page that is open asks by itself, and with another person's cookie it is refused.
  await page.goto('about:blank');
  await signIn(context, 'admin');
  await page.goto('/admin/employees?search=Portrait');
  const row = page.getByRole('row').filter({ hasText: 'Ines Portrait' });
  await expect(row.locator('img')).toHaveJSProperty('naturalWidth', 256);
  await expectAccessible(page);

  await page.goto('about:blank');
  await signIn(context, person);
  await page.goto('/employee/profile');
  await page.getByRole('button', { name: 'Remove Photo' }).click();
  await expect(inTopBar).toHaveText('IP');
  await expect(page.getByRole('button', { name: 'Remove Photo' })).toHaveCount(0);
});
