import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';

const TABS_AT_MOST = 60;

/** Goes on by Tab until something has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let pressed = 0; pressed < TABS_AT_MOST; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** A person's answers, by step and label. A choice is typed by the beginning of its words. */
export const ANSWERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Personal Information': {
    'Full Name': 'Ines Alvarado',
    'Date of Birth': '03/14/1991',
    Nationality: 'Canada',
  },
  'Contact Details': {
    Country: 'United States',
    'Address Line 1': '2217 N 45th St',
    City: 'Seattle',
    State: 'WA',
    'Postal Code': '98103',
    'Phone Number': '(206) 555-0148',
    Email: 'ines@purser.test',
  },
  Identification: {
    'ID Type': 'Passport',
    'ID Number': 'SPEC-7K42-1908',
    'ID Expiry Date': '2035-03-14',
  },
  'Employment & Income': {
    'Employment Status': 'Self-employed',
    Occupation: 'Illustrator',
    'Monthly Income Range': '$5,000 – $10,000',
    'Source of Funds': 'Business income',
  },
  'Security Setup': {
    'Security Question': 'What was your first car?',
    'Security Answer': 'Biscuit',
  },
  'Compliance & Risk': {
    'Account Purpose': 'Receive my fees',
    'Expected Monthly Volume': '$10,000',
  },
};

/** Waits until everything typed has arrived. */
export async function expectSaved(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByText(/^Saved \d/)).toBeVisible();
}

export function heading(page: Page): Locator {
  return page.getByRole('heading', { level: 1 });
}
