import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { PayrollDraft } from '#contract/api.ts';
import { buildWeb } from '#scripts/build-web.ts';
import { findChromium } from '#scripts/chromium.ts';
import { ask } from './http.ts';
import { makeCompany } from './people.ts';
import { atMost, conclude, milliseconds, percentile, seconds } from './report.ts';
import type { Figure } from './report.ts';
import { serveMade } from './serve-made.ts';

const CELLS = 60;
const MOST_KEY_P95_MS = 50;
/** Rows that are drawn, whatever the number of people. */
const MOST_ROWS = 60;

/**
 * `npm run bench -- --grid`: amounts of a payroll typed in a browser. A key is measured from its event to the frame that
 * shows what it did.
 *
 * @returns true if all of it met its target
 */
export async function benchGrid(people: number, say: (sentence: string) => void): Promise<boolean> {
  await buildWeb();
  say(`Hiring ${people} people.`);
  await using served = await serveMade((database, url) =>
    makeCompany(database, { people, payees: 0, url }),
  );
  const { admin } = served.made;
  const order = {
    walletType: 'salary',
    department: 'all',
    description: 'Pay',
    hasOwnAmounts: true,
  };
  const draft = await ask<PayrollDraft>(
    served.url,
    '/api/admin/payroll/drafts',
    admin.cookie,
    JSON.stringify(order),
  );
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const context = await browser.newContext({ baseURL: served.url });
    await context.addCookies(cookiesOf(admin.cookie, served.url));
    const page = await context.newPage();
    const startedAt = performance.now();
    await page.goto(`/admin/payroll?draft=${draft.id}`);
    await page.getByRole('grid').getByRole('textbox').first().focus();
    const openMs = performance.now() - startedAt;
    say(`Typing into ${CELLS} cells.`);
    const processor = await processorTimeOf(page);
    const tookMs = await typeAmounts(page);
    const processorMs = (await processor()) / tookMs.length;
    const figures: Figure[] = [
      { what: `Opening the sheet of ${people} people`, measured: seconds(openMs) },
      atMost('A key until its frame, p95', percentile(tookMs, 0.95), MOST_KEY_P95_MS, ' ms'),
      { what: 'Processor time of a key', measured: milliseconds(processorMs) },
      { what: 'The longest', measured: `${Math.max(...tookMs).toFixed(0)} ms` },
      atMost('Rows that are drawn', await page.locator('.grid tbody tr').count(), MOST_ROWS, ''),
    ];
    return conclude(figures, say);
  } finally {
    await browser.close();
  }
}

/** Types an amount into one cell after the other; returns milliseconds of each key. */
async function typeAmounts(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const tookMs: number[] = [];
    Object.assign(window, { tookMs });
    addEventListener(
      'keydown',
      () => {
        const startedAt = performance.now();
        // A frame is drawn after its callbacks, and a task runs after it.
        requestAnimationFrame(() =>
          setTimeout(() => tookMs.push(performance.now() - startedAt), 0),
        );
      },
      { capture: true },
    );
  });
  for (let cell = 0; cell < CELLS; cell += 1) {
    for (const key of [...Array.from(`${1_000 + cell}.25`), 'Enter']) {
      await page.keyboard.press(key);
      // A person types no faster than the screen follows.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))),
      );
    }
  }
  return page.evaluate(() => (window as unknown as { tookMs: number[] }).tookMs);
}

/** Begins to count the processor time of the page's main thread; what is returned ends it, in milliseconds. */
async function processorTimeOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  const before = await read();
  return async () => (await read()) - before;
}

function cookiesOf(header: string, url: string) {
  return header.split('; ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name, value: value.join('='), url };
  });
}
