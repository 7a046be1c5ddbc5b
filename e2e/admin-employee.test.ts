import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { signIn, signInElsewhere } from './support/people.ts';
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
  await page.getByRole('link', { name: 'Open Ines Quarles' }).click();
  await decide(page, 'Release Payouts', 'Spoke with her');
  await expect(access).toContainText('Payouts are not frozen');

  await page.getByRole('link', { name: 'All records' }).click();
  await expect(page.getByText('Filtered to one person.')).toBeVisible();
  await page.getByRole('button', { name: /^Open Payouts released, record/ }).click();
  const record = page.getByRole('dialog', { name: 'Payouts released' });
  await expect(record).toContainText('Spoke with her');
  await expect(record.getByRole('link', { name: 'All their actions' })).toHaveAttribute(
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

test('name, address and email are corrected with reasons, and the employee sees old and new values', async ({
  page,
  context,
  company,
  openAs,
}) => {
  const person = await company.createEmployee({
    firstName: 'Maya',
    lastName: 'Castellanos',
    isApproved: true,
  });
  await signIn(context, await company.createAdmin({ lastName: 'Corrector' }));
  await page.goto(`/admin/employees/${person.id}`);
  await page.getByRole('button', { name: 'Correct Address' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Address Line 1')).toHaveValue('18 Alder Street');
  await dialog.getByLabel('Address Line 1').fill('18 Elder Street');
  await dialog.getByRole('button', { name: 'Correct Address' }).click();
  await expect(dialog).toContainText('Enter the reason');
  await dialog.getByLabel('Reason').fill('The street was misread.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Correct Address' }).click();
  await expect(dialog).toBeHidden();
  const identity = page.getByRole('region', { name: 'Identity', exact: true });
  await expect(identity).toContainText('Address corrected');

  await page.getByRole('button', { name: 'Correct Name' }).click();
  await dialog.getByLabel('First Name').fill('Mononym');
  await dialog.getByLabel('Last Name').fill('');
  await dialog.getByLabel('Reason').fill('Court order of June');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Correct Name' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mononym');
  await expect(identity).toContainText('Name changed');
  await identity.getByRole('link', { name: 'Open application' }).click();
  await expect(page.getByText('The name differs from the one of the account')).toBeVisible();

  await page.goto(`/admin/employees/${person.id}`);
  await page.getByRole('button', { name: 'Change Email' }).click();
  const email = `${person.id}@b\u00fccher.test`;
  await dialog.getByLabel('New Email').fill('j\u00f6@purser.test');
  await dialog.getByLabel('Reason').fill('The mailbox was closed.');
  await dialog.getByRole('button', { name: 'Change Email' }).click();
  await expect(dialog).toContainText(
    'Mail cannot be sent to an address with “\u00f6” before the @.',
  );
  await expectAccessible(page);
  await dialog.getByLabel('New Email').fill(email);
  await dialog.getByRole('button', { name: 'Change Email' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main')).toContainText(`${person.id}@xn--bcher-kva.test`);

  const theirs = await openAs({ ...person, email });
  await theirs.goto('/employee/profile');
  const corrections = theirs.getByRole('list', { name: 'Corrections' });
  await expect(corrections).toContainText('Maya Castellanos → Mononym');
  await expect(corrections).toContainText('Court order of June');
  await expect(corrections).toContainText('Address Line 1: 18 Alder Street → 18 Elder Street');
  await expect(theirs.getByRole('img', { name: 'Mononym' }).first()).toHaveText('M');
  await expectAccessible(theirs);
});

test('the balance of a person who left is paid out to an account that two admins vouch for', async ({
  page,
  context,
  company,
  openAs,
}) => {
  const person = await company.createEmployee({ lastName: 'Larkmoor', fundedMinor: 89_975n });
  await signIn(context, await company.createAdmin({ lastName: 'First' }));
  await page.goto(`/admin/employees/${person.id}`);
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Deactivate employee' });
  await expect(question).toContainText('$899.75 stays in 1 account');
  await expect(question).toContainText('None on their way');
  await question.getByRole('button', { name: 'Keep Active' }).click();
  await decide(page, 'Deactivate', 'Left the company');
  await expect(page.getByRole('main')).toContainText('$899.75 is in the wallets');

  await page.getByRole('button', { name: 'Pay Out Balance' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('has no verified bank account');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Enter Bank Account' }).click();
  await dialog.getByLabel('Bank Name').fill('Cascade Federal Credit Union');
  await dialog.getByLabel('Account Type').selectOption('Checking');
  const number = `44179920${String(Date.now()).slice(-4)}0917`;
  await dialog.getByLabel('Account Number', { exact: true }).fill(number);
  await dialog.getByLabel('Repeat Account Number').fill(number);
  await dialog.getByLabel('Routing Number').fill('021000021');
  await expect(dialog.getByLabel('Account Holder Name')).toHaveValue('Test Larkmoor');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Enter Bank Account' }).click();
  await expect(dialog).toBeHidden();
  const accounts = page.getByRole('region', { name: 'Bank accounts' });
  await expect(accounts).toContainText('•••• 0917');
  await expect(accounts).toContainText('Pending');

  await accounts.getByRole('link', { name: /^Cascade/ }).click();
  const entered = page.getByRole('dialog', { name: 'Bank account details' });
  await expect(entered).toContainText('you entered this bank account');
  await expect(entered.getByRole('button', { name: 'Verify' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.goBack();

  const second = await openAs(await company.createAdmin({ lastName: 'Second' }));
  await second.goto(`/admin/bank-accounts?person=${person.id}`);
  await second.getByRole('button', { name: /^Verify Test Larkmoor/ }).click();
  const verifying = second.getByRole('alertdialog');
  await verifying.getByRole('button', { name: 'Verify' }).click();
  await expect(verifying).toBeHidden();

  await expect(accounts).toContainText('Verified');
  await page.getByRole('button', { name: 'Pay Out Balance' }).click();
  await expect(dialog.getByLabel('Bank account')).toContainText('•••• 0917');
  await expect(dialog).toContainText('$899.75');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Request Payout of $899.75' }).click();
  await expect(dialog).toBeHidden();
  const withdrawals = page.getByRole('region', { name: 'Withdrawals' });
  await expect(withdrawals).toContainText('$899.75');
  await expect(page.getByRole('button', { name: 'Pay Out Balance' })).toHaveCount(0);
});

test('a person who left reads payslips by a link, and closes them again', async ({
  page,
  context,
  openAs,
  company,
}) => {
  const person = await company.createEmployee({ lastName: 'Quennell', fundedMinor: 31_450n });
  await signIn(context, 'admin');
  await page.goto(`/admin/employees/${person.id}`);
  await decide(page, 'Deactivate', 'Left the company');
  await page.getByRole('button', { name: 'Send Documents Link' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send Link' }).click();
  const shown = page.getByRole('dialog', { name: 'Link to documents' });
  await expectAccessible(page);
  const link = await shown.getByText('/my-documents?token=').innerText();

  const theirs = await openAs();
  await theirs.goto(new URL(link).pathname + new URL(link).search);
  await expectAccessible(theirs);
  await theirs.getByRole('button', { name: 'Open My Documents' }).click();
  await expect(theirs.getByRole('main')).toContainText(
    'Payslips and monthly statements of Test Quennell',
  );
  await expectAccessible(theirs);
  await theirs.getByRole('button', { name: /^Open the payslip of/ }).click();
  await expect(theirs.getByRole('article')).toContainText('$314.50');
  await theirs.getByRole('link', { name: 'Your documents' }).click();
  await theirs.getByRole('button', { name: 'Close Documents' }).click();
  await expect(theirs.getByRole('button', { name: 'Send Link' })).toBeVisible();
  await expectAccessible(theirs);
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
  company,
}) => {
  const person = await company.createEmployee({ isApproved: true });
  await signInElsewhere(person);
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

  const documents = page.getByRole('region', { name: 'Identity documents' });
  await documents.getByRole('link', { name: 'Front of ID' }).click();
  await expect(page).toHaveURL(/\/admin\/kyc-review\?.*application=/);
  await expect(page.getByRole('dialog')).toBeVisible();
});
