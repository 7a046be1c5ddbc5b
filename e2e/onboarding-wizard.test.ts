import type { Page } from '@playwright/test';
import { picture } from '#test/factories/images.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { ask } from './support/api.ts';
import { apiAs, logOut, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { ANSWERS, expectSaved, heading, tabTo } from './support/wizard.ts';

test.describe('on a phone-sized screen, by keyboard alone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('an application is filled in, with a reload at every step, and submitted', async ({
    page,
    context,
    company,
    faults,
  }) => {
    // Recording a trace reads the preview of a chosen image, which no script of ours may.
    faults.allow(/Connecting to 'blob:|connect-src stopped blob/);
    // Playwright takes file choosers while somebody listens, and is slow to start again for each one.
    page.on('filechooser', () => undefined);
    const person = await company.createEmployee({ firstName: 'Ines', lastName: 'Alvarado' });
    await signIn(context, person);
    await page.goto('/');
    await expect(page).toHaveURL('/onboarding');

    for (const [title, answers] of Object.entries(ANSWERS)) {
      await test.step(title, async () => {
        await expect(heading(page)).toHaveText(title);
        for (const [label, answer] of Object.entries(answers)) await type(page, label, answer);
        if (title === 'Identification') await chooseImages(page);
        await expectSaved(page);
        await page.reload();
        await expect(heading(page)).toHaveText(title);
        await expectKept(page, answers);
        await expectNoSidewaysScroll(page);
        await tabTo(page, page.getByRole('button', { name: 'Next' }));
        await page.keyboard.press('Enter');
      });
    }

    await expect(heading(page)).toHaveText('Review & Submit');
    await expect(heading(page)).toBeFocused();
    await page.reload();
    await expect(page.getByText('8 of 8', { exact: true })).toBeVisible();
    await expect(page.getByText('100% complete')).toBeVisible();
    await expect(page.getByText('21 of 21 required fields complete')).toBeVisible();
    await expect(page.getByText('2 of 2 documents uploaded')).toBeVisible();
    await expect(page.getByText('Set, never shown')).toBeVisible();

    await test.step('one answer is changed from here', async () => {
      const changeId = page.getByRole('link', { name: 'Change ID type', exact: true });
      await expect(changeId).toBeVisible();
      await tabTo(page, page.getByRole('link', { name: 'Change occupation' }));
      await page.keyboard.press('Enter');
      await expect(heading(page)).toHaveText('Employment & Income');
      await expect(page.getByLabel('Occupation')).toBeFocused();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('Engraver');
      await expectSaved(page);
      await page.goto('/onboarding');
      await expect(heading(page)).toHaveText('Review & Submit');
      await expect(page.getByText('Engraver')).toBeVisible();
    });

    await tabTo(page, page.getByRole('button', { name: 'Submit Application' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('Application Submitted', { exact: true })).toBeVisible();
    await expect(
      page.getByText('Your KYC application has been submitted for review'),
    ).toBeVisible();
    await expect(page).toHaveURL('/employee/dashboard');
    await page.goto('/onboarding');
    await expect(page).toHaveURL('/employee/dashboard');

    const { status, answers } = await ask(await apiAs(person), 'getMyApplication', {});
    expect(status).toBe('submitted');
    expect(answers).toMatchObject({ dateOfBirth: '1991-03-14', idExpiryDate: '2035-03-14' });
  });
});

async function type(page: Page, label: string, answer: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await tabTo(page, field);
  const isText = await field.evaluate((element) => element.tagName !== 'SELECT');
  if (isText) await page.keyboard.press('ControlOrMeta+A');
  // The first words of a choice find it, as they do for a person.
  await page.keyboard.type(isText ? answer : (answer.split(' – ')[0] ?? answer));
}

async function chooseImages(page: Page): Promise<void> {
  const buffer = await picture();
  for (const side of ['Front of ID', 'Back of ID']) {
    await tabTo(page, page.getByLabel(side, { exact: true }));
    const opened = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    const name = `${side}.png`;
    await (await opened).setFiles({ name, mimeType: 'image/png', buffer });
    await expect(page.getByText(`${name} has been uploaded successfully`)).toBeVisible();
    await expect(page.getByRole('img', { name: side })).toBeVisible();
  }
}

async function expectKept(page: Page, answers: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, answer] of Object.entries(answers)) {
    const field = page.getByLabel(label, { exact: true });
    if (label === 'Security Answer') {
      await expect(page.getByText('An answer is set. It is never shown')).toBeVisible();
    } else if (await field.evaluate((element) => element.tagName === 'SELECT')) {
      await expect(field.locator('option:checked')).toHaveText(answer);
    } else {
      const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(answer);
      await expect(field).toHaveValue(day === null ? answer : `${day[2]}/${day[3]}/${day[1]}`);
    }
  }
}

test('an impossible answer is refused on the way to the next step, and the rest is kept', async ({
  page,
  context,
  company,
}) => {
  await signIn(context, await company.createEmployee());
  await page.goto('/onboarding?step=2');
  const birthday = page.getByLabel('Date of Birth');
  const next = page.getByRole('button', { name: 'Next' });
  for (const [typed, message] of [
    ['13/13/1991', 'Enter a date as MM/DD/YYYY'],
    ['01/01/2150', 'Enter a date in the past'],
    [`01/01/${new Date().getFullYear() - 10}`, 'You have to be at least 18 years old'],
  ] as const) {
    await birthday.fill(typed);
    await next.click();
    const summary = page.getByRole('alert').filter({ hasText: 'Please check your answers' });
    await expect(summary).toBeFocused();
    await expect(summary.getByRole('link', { name: message })).toBeVisible();
    await expect(birthday).toHaveAccessibleDescription(new RegExp(message));
    await expect(birthday).toHaveValue(typed);
  }
  await birthday.fill('01/01/1990');
  await next.click();
  await expect(heading(page)).toHaveText('Contact Details');

  await test.step('a postal code is one of the country, and optional where there may be none', async () => {
    const code = page.getByLabel('Postal Code');
    await page.getByLabel('Country').selectOption('United States');
    await expect(code).toHaveAttribute('aria-required', 'true');
    await code.fill('SW1A 1AA');
    await next.click();
    await expect(code).toHaveAccessibleDescription(/not a postal code of the chosen country/);
    await page.getByLabel('Country').selectOption('Other');
    await code.fill('');
    await expect(code).not.toHaveAttribute('aria-required', 'true');
    await expect(code).toHaveAccessibleDescription(/Leave empty if your country has none/);
    await expectSaved(page);
  });

  await page.goto('/onboarding?step=4');
  await page.getByLabel('ID Expiry Date').fill('01/01/2020');
  await next.click();
  await expect(
    page.getByRole('link', {
      name: 'This document has expired. Use one that is valid beyond today.',
    }),
  ).toBeVisible();
});

test('the account’s name is there, a field is checked on leaving it, and circles lead to steps', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({ firstName: 'Ines', lastName: 'Alvarado' });
  await signIn(context, person);
  await page.goto('/onboarding');
  await expect(page.getByLabel('Full Name')).toHaveValue('Ines Alvarado');
  await expectSaved(page);
  const birthday = page.getByLabel('Date of Birth');
  await birthday.fill('02/30/1990');
  await page.keyboard.press('Tab');
  await expect(birthday).toHaveAccessibleDescription(/This day does not exist/);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await birthday.fill('02/28/1990');
  await expect(birthday).not.toHaveAttribute('aria-invalid');

  // A message that comes on leaving the field does not move Next away under the press.
  await page.setViewportSize({ width: 1280, height: 700 });
  await birthday.fill('x');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('alert').getByText('Please check your answers')).toBeVisible();
  await birthday.fill('02/28/1990');

  await page.getByRole('link', { name: /^Contact Details/ }).click();
  await expect(heading(page)).toHaveText('Contact Details');
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expect(page.getByRole('link', { name: /^Authentication/ })).toHaveCount(0);
});

test('an incomplete application says what is missing, and leads there', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allowRefusal(422, '/api/kyc/application/submit');
  await signIn(context, await company.createEmployee());
  await page.goto('/onboarding?step=8');
  await expect(page.getByText('0 of 2 documents uploaded')).toBeVisible();
  await page.getByRole('button', { name: 'Submit Application' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'Please complete these' });
  await expect(summary).toBeFocused();
  // Name and address are known from the account.
  await expect(summary.getByRole('link')).toHaveCount(21);
  await expect(summary.getByText('Employment & Income')).toBeVisible();
  await summary.getByRole('link', { name: /^Occupation/ }).click();
  await expect(heading(page)).toHaveText('Employment & Income');
  await expect(page.getByLabel('Occupation')).toBeFocused();
});

test('two tabs do not write over each other', async ({ page, context, company, faults }) => {
  faults.allowRefusal(409, '/api/kyc/application');
  await signIn(context, await company.createEmployee());
  const other = await context.newPage();
  // A live stream that opens late has the other tab ask for the newer answers before anything is typed there.
  await context.route('**/api/events?*', () => undefined);
  for (const tab of [page, other]) {
    await tab.goto('/onboarding?step=3');
    await expect(tab.getByLabel('City')).toBeVisible();
  }
  await page.getByLabel('City').fill('Portland');
  await expectSaved(page);
  await other.getByLabel('City').fill('Seattle');
  await other.getByLabel('State').fill('WA');
  const notice = other.getByText('This application was changed in another tab or window');
  await expect(notice).toBeVisible();
  await expect(other.getByLabel('City')).toHaveValue('Seattle');
  await expectAccessible(other);
  await other.getByRole('button', { name: 'Load the newer answers' }).click();
  await expect(notice).toBeHidden();
  await expect(other.getByLabel('City')).toHaveValue('Portland');
  await expect(other.getByLabel('State')).toHaveValue('WA');
  await expectSaved(other);
});

test('a save that does not get through is tried again', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await signIn(context, await company.createEmployee());
  await page.goto('/onboarding?step=3');
  await page.getByLabel('City').fill('Seattle');
  await expectSaved(page);
  await context.setOffline(true);
  await page.getByLabel('State').fill('WA');
  await expect(page.getByText('Not saved yet, retrying')).toBeVisible();
  await context.setOffline(false);
  await expectSaved(page);
  await page.reload();
  await expect(page.getByLabel('State')).toHaveValue('WA');
});

test('hints follow the country, and the way out is there', async ({
  page,
  context,
  company,
  faults,
}) => {
  await signIn(context, await company.createEmployee());
  await page.goto('/onboarding?step=3');
  await page.getByLabel('Country').selectOption('United Kingdom');
  await expect(page.getByText('Postcode, such as SW1A 1AA')).toBeVisible();
  // On a busy machine a save lasts longer than logging out waits for it, which then asks.
  await expectSaved(page);
  await logOut(page, faults);
  await expect(page.getByRole('button', { name: /^Sign In$|^Create Account$/ })).toBeVisible();
});

describeVisits('the wizard', (looks) => {
  test('every step is accessible', async ({ page, context, company }) => {
    await signIn(context, await company.createEmployee());
    await page.goto('/onboarding?step=2');
    for (let step = 2; step <= 8; step += 1) {
      await page.evaluate((to) => history.pushState({}, '', `/onboarding?step=${to}`), step);
      await expect(page.getByText(`${step} of 8`, { exact: true })).toBeVisible();
      await expectFineInLooks(page, looks);
    }
  });
});
