import { test as base, expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { waitForApp } from './app-start.ts';
import { openCompany } from './company.ts';
import type { Company } from './company.ts';
import { Faults } from './faults.ts';
import { signIn } from './people.ts';
import type { Who } from './people.ts';

interface Fixtures {
  /** What the browser complained about; a test with anything unexpected fails. */
  faults: Faults;
  /** A page in a browser of that person's own, for tests in which two people act. */
  openAs: (who: Who) => Promise<Page>;
}

interface WorkerFixtures {
  company: Company;
}

/** Every end-to-end test uses this one. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  company: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures here
    async ({}, use) => {
      const company = await openCompany();
      await use(company);
      await company.close();
    },
    { scope: 'worker' },
  ],
  faults: [
    async ({ context }, use) => {
      const faults = new Faults();
      await faults.watch(context);
      waitForApp(context);
      // Where nothing gets a processor for seconds, the database answers the live stream's sign-in too
      // late. The stream asks again by itself, and what a screen shows does not wait for it.
      faults.allow(/status of 503 .*\/api\/events\)$/);
      await use(faults);
      // A reply that a test replaced may still be on its way.
      const routed = [context, ...context.pages()];
      for (const each of routed) await each.unrouteAll({ behavior: 'ignoreErrors' });
      expect(faults.unexpected(), 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],
  openAs: async ({ browser, faults }, use) => {
    const contexts: Awaited<ReturnType<typeof browser.newContext>>[] = [];
    await use(async (who) => {
      const context = await browser.newContext();
      waitForApp(context);
      contexts.push(context);
      await faults.watch(context);
      await signIn(context, who);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});

export { expect } from '@playwright/test';
