import type { APIRequestContext, BrowserContext } from '@playwright/test';
import { DEMO_PASSWORD } from '#scripts/demo/company.ts';
import { ask, openApi } from './api.ts';

/** People of the demo company that every test may look at. */
const DEMO_EMAILS = {
  maya: 'maya@purser.test',
  sam: 'sam@purser.test',
  admin: 'admin@purser.test',
} as const;

/** Who can sign in: one of the demo company, or a person a test made. */
export type Who = keyof typeof DEMO_EMAILS | { email: string; password: string };

export function credentialsOf(who: Who): { email: string; password: string } {
  if (typeof who !== 'string') return { email: who.email, password: who.password };
  return { email: DEMO_EMAILS[who], password: DEMO_PASSWORD };
}

const signedIn = new Map<string, Promise<APIRequestContext>>();

/**
 * The API as that person. One sign-in serves all tests of a worker; a test that ends sessions makes
 * a person of its own.
 */
export function apiAs(who: Who): Promise<APIRequestContext> {
  const { email } = credentialsOf(who);
  const known = signedIn.get(email);
  if (known !== undefined) return known;
  const opening = signInElsewhere(who);
  signedIn.set(email, opening);
  return opening;
}

/** Gives the browser that person's cookie, as if they had signed in before. */
export async function signIn(context: BrowserContext, who: Who): Promise<void> {
  const api = await apiAs(who);
  // The session of a worker grows old; what a person confirmed at sign-in would be asked for again.
  await ask(api, 'confirmIdentity', { body: { answer: credentialsOf(who).password } });
  const { cookies } = await api.storageState();
  await context.addCookies(cookies);
}

/** Signs in again, as from another browser. */
export async function signInElsewhere(who: Who): Promise<APIRequestContext> {
  const api = await openApi();
  await ask(api, 'signIn', { body: credentialsOf(who) });
  return api;
}
