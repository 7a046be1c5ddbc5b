import { test as base, expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import { openCompany } from './company.ts';
import type { Company } from './company.ts';
import { Contexts, openContext } from './contexts.ts';
import { Faults } from './faults.ts';
import { signIn } from './people.ts';
import type { Who } from './people.ts';

interface Fixtures {
  /** Gives the test a context with an empty cache, which no other test has used. */
  isContextNew: boolean;
  /** Opens a context of the worker that is given back after the test. */
  takeContext: () => Promise<BrowserContext>;
  /** Complaints of the browser; a test with an unexpected one fails. */
  faults: Faults;
  /** A page in a browser of that person's own, or of a visitor's, for tests in which two people act. */
  openAs: (who?: Who) => Promise<Page>;
}

interface WorkerFixtures {
  company: Company;
  contexts: Contexts;
}

/**
 * Options of a file whose tests see what moves, as most people do. All others ask for less motion, which takes a fifth
 * less of the processor's time.
 */
export const WITH_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const;

/** Every end-to-end test uses this one. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  isContextNew: [false, { option: true }],
  company: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures here
    async ({}, use) => {
      const company = await openCompany();
      await use(company);
      await company.close();
    },
    { scope: 'worker' },
  ],
  contexts: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => use(new Contexts()),
    { scope: 'worker' },
  ],
  takeContext: async (
    { browser, contexts, viewport, colorScheme, hasTouch, isMobile, timezoneId, contextOptions },
    use,
    testInfo,
  ) => {
    const options = [viewport, colorScheme, hasTouch, isMobile, timezoneId, contextOptions];
    const key = JSON.stringify(options);
    const taken: BrowserContext[] = [];
    await use(async () => {
      const context = await contexts.take(browser, key);
      taken.push(context);
      return context;
    });
    for (const context of taken) {
      if (testInfo.status === testInfo.expectedStatus) await contexts.giveBack(context);
      else await contexts.discard(context);
    }
  },
  context: async ({ browser, isContextNew, takeContext }, use) => {
    if (!isContextNew) return use(await takeContext());
    const context = await openContext(browser);
    await use(context);
    await context.close();
  },
  faults: [
    async ({ context }, use) => {
      const faults = new Faults();
      faults.watch(context);
      // On a machine that gives us no processor for seconds, the database answers too late who is signed in. The page
      // and its live stream both ask again by themselves.
      faults.allow(/status of 503 .*\/api\/(?:events|session)\)$/);
      await use(faults);
      // A reply that a test replaced may still be on its way.
      const routed = [context, ...context.pages()];
      for (const each of routed) await each.unrouteAll({ behavior: 'ignoreErrors' });
      faults.stop();
      expect(faults.unexpected(), 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],
  openAs: async ({ takeContext, faults }, use) => {
    await use(async (who) => {
      const context = await takeContext();
      faults.watch(context);
      if (who !== undefined) await signIn(context, who);
      return context.newPage();
    });
  },
});

export { expect } from '@playwright/test';
