import type { Page } from '@playwright/test';
import { completeApplication } from '#test/factories/kyc.ts';
import { ask, openApi } from './support/api.ts';
import { apiAs, credentialsOf, signIn, signInAlone, unlock } from './support/people.ts';
import type { Person } from './support/company.ts';
import { expect, test } from './support/test.ts';
import { expectSaved, heading } from './support/wizard.ts';

const APPLICATION = '**/api/kyc/application';

/** Fills in the form that `/onboarding` shows to who is signed out. */
async function signInByForm(page: Page, person: Person): Promise<void> {
  const toSignIn = page.getByRole('button', { name: 'Sign in', exact: true });
  const enter = page.getByRole('button', { name: 'Sign In', exact: true });
  await expect(toSignIn.or(enter)).toBeVisible();
  if (await toSignIn.isVisible()) await toSignIn.click();
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await enter.click();
}

/** Lets every save arrive and its reply get lost, as often as said. */
async function loseReplies(page: Page, count: number): Promise<void> {
  let lost = 0;
  await page.route(APPLICATION, async (route) => {
    if (route.request().method() !== 'PUT' || lost >= count) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

test('a save whose reply is lost is no conflict, however much more is typed', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/ERR_CONNECTION_RESET/);
  faults.allowRefusal(409, '/api/kyc/application');
  const person = await company.createEmployee();
  await signIn(context, person);
  await page.goto('/onboarding?step=3');
  await loseReplies(page, 1);
  await page.getByLabel('City').fill('New');
  await expect(page.getByText('Not saved yet, retrying')).toBeVisible();
  await page.getByLabel('City').fill('New York');
  await expectSaved(page);
  const { answers } = await ask(await apiAs(person), 'getMyApplication', {});
  expect(answers.city).toBe('New York');
});

test('unsaved answers are not submitted, and the bar says so', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee();
  await completeApplication(company.db, company.services, person.by);
  await signIn(context, person);
  await page.goto('/onboarding?step=8');
  await page.getByRole('link', { name: 'Change phone number' }).click();
  await page.getByLabel('Phone Number').fill('12');
  await expect(page.getByRole('banner').getByText('Not saved yet')).toBeVisible();
  await page.goBack();
  await expect(heading(page)).toHaveText('Review & Submit');
  await page.getByRole('button', { name: 'Submit Application' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'Please complete these' });
  await expect(summary.getByRole('link', { name: /^Phone Number: / })).toBeVisible();
  expect((await ask(await apiAs(person), 'getMyApplication', {})).status).toBe('in_progress');
});

test('unsaved answers of one person never reach the next one at this browser', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(502, '/api/kyc/application');
  const first = await company.createEmployee({ firstName: 'Alice' });
  const next = await company.createEmployee({ firstName: 'Bob' });
  await signInAlone(context, first);
  await page.clock.install();
  await page.goto('/onboarding?step=4');
  let isDown = true;
  await page.route(APPLICATION, (route) =>
    isDown && route.request().method() === 'PUT'
      ? route.fulfill({ status: 502, body: 'bad gateway' })
      : route.continue(),
  );
  await page.getByLabel('ID Number').fill('OF-ALICE-1');
  await expect(page.getByText('Not saved yet, retrying')).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Log out without saving?' });
  await question.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  isDown = false;
  await signInByForm(page, next);
  await expect(page.getByText('Welcome, Bob')).toBeVisible();
  // Longer than a next try of the save waits.
  await page.clock.fastForward(60_000);
  await page.evaluate(() => fetch('/healthz'));
  const { answers } = await ask(await apiAs(next), 'getMyApplication', {});
  expect(answers).not.toHaveProperty('idNumber');
});

test('text typed while the session ended is there after signing in again', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/status of 401/);
  const person = await company.createEmployee();
  await signInAlone(context, person);
  await page.goto('/onboarding?step=3');
  await page.getByLabel('City').fill('Seattle');
  await expectSaved(page);
  const elsewhere = await openApi();
  await ask(elsewhere, 'signIn', { body: credentialsOf(person) });
  await ask(elsewhere, 'revokeOtherSessions', {});
  await page.getByLabel('State').fill('WA');
  await unlock(page, person);
  await expect(page.getByLabel('State')).toHaveValue('WA');
  await expectSaved(page);
  expect((await ask(elsewhere, 'getMyApplication', {})).answers.state).toBe('WA');
});

test('an application whose submission was not answered is submitted', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/ERR_CONNECTION_RESET/);
  const person = await company.createEmployee();
  await completeApplication(company.db, company.services, person.by);
  await signIn(context, person);
  await page.goto('/onboarding?step=8');
  await page.route('**/api/kyc/application/submit', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Submit Application' }).click();
  await expect(page.getByText('Your KYC application has been submitted for review')).toBeVisible();
  await expect(page).not.toHaveURL(/onboarding/);
});

test('a person who logs out while a save hangs gets a question soon', async ({
  page,
  context,
  company,
}) => {
  await signInAlone(context, await company.createEmployee());
  await page.clock.install();
  await page.goto('/onboarding?step=3');
  await page.route(APPLICATION, (route) =>
    route.request().method() === 'PUT' ? undefined : route.continue(),
  );
  await page.getByLabel('City').fill('Seattle');
  await expect(page.getByText('Saving...')).toBeVisible();
  await page.getByRole('button', { name: 'Log out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Log out without saving?' });
  await page.clock.fastForward(5_000);
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByLabel('City')).toHaveValue('Seattle');
});
