import type { BrowserContext, Page } from '@playwright/test';

/**
 * Has every navigation of a context end when the app has taken over from the first view that the server
 * drew: a test presses keys faster than a person does, and until then they go nowhere.
 */
export function waitForApp(context: BrowserContext): void {
  context.on('page', (page) => {
    const goto = page.goto.bind(page);
    const reload = page.reload.bind(page);
    page.goto = async (...given) => settle(page, await goto(...given));
    page.reload = async (...given) => settle(page, await reload(...given));
  });
}

async function settle<Reply>(page: Page, reply: Reply): Promise<Reply> {
  await page.locator('.first-view').waitFor({ state: 'detached' });
  return reply;
}
