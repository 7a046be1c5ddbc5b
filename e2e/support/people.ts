import { expect } from '@playwright/test';
import type { APIRequestContext, BrowserContext, Locator, Page } from '@playwright/test';
import { CONFIRMATION_MINUTES } from '#contract/limits.ts';
import { DEMO_PASSWORD } from '#scripts/demo/company.ts';
import { ask, openApi } from './api.ts';
import type { Faults } from './faults.ts';

/** People of the demo company that every test may look at. */
const DEMO_EMAILS = {
  maya: 'maya@purser.test',
  sam: 'sam@purser.test',
  admin: 'admin@purser.test',
} as const;

/** A person who can sign in: one of the demo company, or one that a test made. */
export type Who = keyof typeof DEMO_EMAILS | { email: string; password: string };

export function credentialsOf(who: Who): { email: string; password: string } {
  if (typeof who !== 'string') return { email: who.email, password: who.password };
  return { email: DEMO_EMAILS[who], password: DEMO_PASSWORD };
}

/** Well within CONFIRMATION_MINUTES of the server: a test goes on for a while after it has begun. */
const CONFIRMED_FOR_MS = (CONFIRMATION_MINUTES / 2) * 60_000;

interface SignedIn {
  api: APIRequestContext;
  /** Time at which the password was given last. */
  confirmedMs: number;
}

const signedIn = new Map<string, Promise<SignedIn>>();

/**
 * The API as that person. One sign-in serves all tests of a worker; a test that ends sessions makes
 * a person of its own.
 */
export async function apiAs(who: Who): Promise<APIRequestContext> {
  return (await sessionOf(who)).api;
}

/** Gives the browser that person's cookie, as if they had signed in just before. */
export async function signIn(context: BrowserContext, who: Who): Promise<void> {
  const session = await sessionOf(who);
  // The session of a worker grows old; what a person confirmed at sign-in would be asked for again.
  if (Date.now() - session.confirmedMs > CONFIRMED_FOR_MS) {
    const answer = credentialsOf(who).password;
    await ask(session.api, 'confirmIdentity', { body: { answer } });
    session.confirmedMs = Date.now();
  }
  const { cookies } = await session.api.storageState();
  await context.addCookies(cookies);
}

/** Gives the browser a session of its own, which the test may end. */
export async function signInAlone(context: BrowserContext, who: Who): Promise<void> {
  const api = await signInElsewhere(who);
  await context.addCookies((await api.storageState()).cookies);
}

/** The lock shown in place of a page whose session has ended. */
export function lockOf(page: Page): Locator {
  return page.getByRole('heading', { name: 'Your session has ended' });
}

/** Signs in where the page is locked, as the person of the page or as another one. */
export async function unlock(page: Page, who: Who): Promise<void> {
  await expect(lockOf(page)).toBeVisible();
  const { email, password } = credentialsOf(who);
  const lock = page.locator('.lock');
  await lock.getByLabel('Email').fill(email);
  await lock.getByLabel('Password').fill(password);
  await lock.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/**
 * Logs out by the button of the page. What another tab, or this one, was still asking for at that
 * moment is refused, and Chromium logs it.
 */
export async function logOut(page: Page, faults: Faults): Promise<void> {
  faults.allowRefusal(401, '/api/');
  await page.getByRole('button', { name: 'Log out' }).click();
}

/** Takes the session away from a browser, whose page may still be asking as at {@link logOut}. */
export async function loseSession(context: BrowserContext, faults: Faults): Promise<void> {
  faults.allowRefusal(401, '/api/');
  await context.clearCookies();
}

function sessionOf(who: Who): Promise<SignedIn> {
  const { email } = credentialsOf(who);
  const known = signedIn.get(email);
  if (known !== undefined) return known;
  const opening = openSession(who);
  signedIn.set(email, opening);
  return opening;
}

/** Signs in. People of the demo company confirm it as well: each worker is another browser to them. */
async function openSession(who: Who): Promise<SignedIn> {
  const confirmedMs = Date.now();
  const api = await signInElsewhere(who);
  if (typeof who === 'string') {
    await ask(api, 'confirmIdentity', { body: { answer: DEMO_PASSWORD } });
  }
  return { api, confirmedMs };
}

/** Signs in again, as from another browser. */
export async function signInElsewhere(who: Who): Promise<APIRequestContext> {
  const api = await openApi();
  await ask(api, 'signIn', { body: credentialsOf(who) });
  return api;
}
