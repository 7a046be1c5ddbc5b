import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts';
import { devtoolsOf } from './devtools.ts';
import { IS_FULL } from './place.ts';
import { test } from './test.ts';

/** Options of Playwright, for `test.use`. */
interface LookOptions {
  colorScheme: 'light' | 'dark';
  viewport: { width: number; height: number };
  hasTouch: boolean;
  isMobile: boolean;
}

export interface Look {
  /** `dark, 390 px`. */
  name: string;
  use: LookOptions;
}

const WIDE = { viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false };
const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LIGHT = { colorScheme: 'light' } as const;
const DARK = { colorScheme: 'dark' } as const;

const SAMPLES: readonly (readonly Look[])[] = [
  [
    { name: 'light, 1440 px', use: { ...LIGHT, ...WIDE } },
    { name: 'dark, 390 px', use: { ...DARK, ...NARROW } },
  ],
  [
    { name: 'light, 390 px', use: { ...LIGHT, ...NARROW } },
    { name: 'dark, 1440 px', use: { ...DARK, ...WIDE } },
  ],
];

/**
 * Runs the tests of `body` in light and dark at 1440 and 390 px. A usual run takes one of each,
 * chosen by the title's length so that screens differ; a full run takes all four.
 */
export function describeLooks(title: string, body: () => void): void {
  for (const look of looksOf(title)) describeLook(title, look, body);
}

/**
 * The same for a test that can show what it has opened in another look: a usual run goes through it once, in
 * the wide look, and gives it the other one to show as well (`inEachLook`). Opening a screen takes as long as
 * looking at it. A full run opens it in all four.
 */
export function describeVisits(title: string, body: (looks: readonly Look[]) => void): void {
  const looks = looksOf(title);
  if (IS_FULL) {
    for (const look of looks) describeLook(title, look, () => body([look]));
    return;
  }
  const sorted = looks.toSorted(
    (one, other) => Number(one.use.isMobile) - Number(other.use.isMobile),
  );
  const [first] = sorted;
  if (first !== undefined) describeLook(title, first, () => body(sorted));
}

function looksOf(title: string): readonly Look[] {
  return IS_FULL ? SAMPLES.flat() : (SAMPLES[title.length % SAMPLES.length] ?? []);
}

function describeLook(title: string, { name, use }: Look, body: () => void): void {
  test.describe(`${title}, ${name}`, () => {
    test.use(use);
    body();
  });
}

/** Checks an open page, which has the first of these looks, in each of them, and shows the first one again. */
export async function inEachLook(
  page: Page,
  [first, ...others]: readonly Look[],
  check: () => Promise<void>,
): Promise<void> {
  await check();
  for (const look of others) {
    await test.step(look.name, async () => {
      await showIn(page, look);
      await check();
    });
  }
  if (first !== undefined && others.length > 0) await showIn(page, first);
}

/** Expects that an open page is accessible and fits, in each look. */
export async function expectFineInLooks(page: Page, looks: readonly Look[]): Promise<void> {
  await inEachLook(page, looks, async () => {
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });
}

/** Shows an open page, from its top, as a device with that look does; for the rest of the test. */
export async function showIn(page: Page, { use }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: use.colorScheme });
  // The same requests that Playwright sends to Chromium for a context with these options. `setViewportSize` before
  // them would have the page laid out twice.
  const devtools = await devtoolsOf(page);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: use.hasTouch });
  await devtools.send('Emulation.setDeviceMetricsOverride', {
    ...use.viewport,
    deviceScaleFactor: 1,
    mobile: use.isMobile,
  });
  // Scrolls back to the top: under a bar that stays in place, a link is no target.
  await page.evaluate(() => window.scrollTo({ top: 0, left: 0, behavior: 'instant' }));
}
