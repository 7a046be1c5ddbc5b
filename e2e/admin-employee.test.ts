import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Answers the question that the button of the same name opens, with a reason where it asks for one. */
async function decide(page: Page, label: string, reason?: string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  const question = page.getByRole(reason === undefined ? 'alertdialog' : 'dialog');
  if (reason !== undefined) await question.getByLabel('Reason').fill(reason);
  await expectAccessible(page);
  await question.getByRole('button', { name: label, exact: true }).click();
  await expect(question).toBeHidden();
}

test('payouts are frozen and released with reasons, which the page and the audit trail keep', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ firstName: 'Ines', lastName: 'Quarles' });
  await signIn(context, 'admin');
  await page.goto(`/admin/employees/${person.id}`);
  await decide(page, 'Freeze Payouts', 'Called about a lost phone');
  const access = page.getByRole('region', { name: 'Access' });
  await expect(access).toContainText('by Renee Albright: Called about a lost phone');

  await page.goto('/admin/employees?standing=frozen&search=Quarles');
  await page.getByRole('button', { name: 'Open Ines Quarles' }).click();
  await decide(page, 'Release Payouts', 'Spoke with her');
  await expect(access).toContainText('Payouts run as usual');

  await page.getByRole('link', { name: 'All records' }).click();
  await expect(page.getByText('alone.')).toContainText('one person');
  await page.getByRole('button', { name: /^Open Payouts released, record/ }).click();
  const record = page.getByRole('dialog', { name: 'Payouts released' });
  await expect(record).toContainText('Spoke with her');
  await expect(record.getByRole('link', { name: 'All their acts' })).toHaveAttribute(
    'href',
    /\/admin\/audit\?by=/,
  );
  await expectAccessible(page);
  await record.getByRole('link', { name: 'Open Employee' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ines Quarles');
});

test('a person is deactivated, signed out where they are, and reactivated', async ({
  page,
  context,
  company,
  openAs,
  faults,
}) => {
  faults.allowRefusal(401, '/api/');
  const person = await company.createEmployee({ firstName: 'Omar', lastName: 'Quigley' });
  const theirs = await openAs(person);
  await theirs.goto('/employee/profile');
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Profile Settings');

  await signIn(context, 'admin');
  await page.goto(`/admin/employees/${person.id}`);
  const access = page.getByRole('region', { name: 'Access' });
  await expect(access).toContainText('1 open session');
  await decide(page, 'Deactivate', 'Left the company');
  await expect(page.getByRole('main')).toContainText('Left the company');
  await expect(access).toContainText('0 open sessions');
  await theirs.reload();
  await expect(theirs.getByRole('button', { name: /^Sign In$|^Create Account$/ })).toBeVisible();
  await decide(page, 'Reactivate', 'Came back');
  await expect(access).toContainText('Signs in, is paid');
});

test('a further account is opened and closed while it is empty; the salary wallet is not offered', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ lastName: 'Quimby', fundedMinor: 5_000n });
  await signIn(context, 'admin');
  await page.goto(`/admin/employees/${person.id}`);
  const accounts = page.getByRole('region', { name: 'Wallet accounts' });
  const savings = accounts.getByRole('row', { name: /^Savings Account/ });
  await savings.getByRole('button', { name: /^Open/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Open Account' }).click();
  await expect(savings).toContainText('••••');
  await savings.getByRole('button', { name: /^Close/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close Account' }).click();
  await expect(savings).toContainText('Not open');
  await expect(
    accounts.getByRole('row', { name: /^Salary Wallet/ }).getByRole('button', { name: /^Close/ }),
  ).toHaveCount(0);
});

test('one session of a person is ended, and the identity documents open their review', async ({
  page,
  context,
  browser,
  company,
}) => {
  const person = await company.createEmployee({ isApproved: true });
  const place = await browser.newContext();
  await signIn(place, person);
  await signIn(context, await company.createAdmin());
  await page.goto(`/admin/employees/${person.id}`);
  await page.getByRole('button', { name: 'Show Sessions' }).click();
  const dialog = page.getByRole('dialog', { name: /^Where .* is signed in$/ });
  const ends = dialog.getByRole('button', { name: /^End / });
  await expect(ends).toHaveCount(1);
  await expectAccessible(page);
  await ends.click();
  await expect(dialog.getByText('Signed in nowhere')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('0 open sessions', { exact: true })).toBeVisible();
  await place.close();

  const documents = page.getByRole('region', { name: 'Identity documents' });
  await documents.getByRole('link', { name: 'Front of ID' }).click();
  await expect(page).toHaveURL(/\/admin\/kyc-review\?.*application=/);
  await expect(page.getByRole('dialog')).toBeVisible();
});
