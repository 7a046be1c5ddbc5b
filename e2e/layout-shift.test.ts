import { signIn } from './support/people.ts';
import { SCREENS, expectLoaded } from './support/screens.ts';
import { expect, test } from './support/test.ts';

/** Above this a screen jumps visibly while it loads. */
const MAX_SHIFT = 0.02;

const ADDRESSES = [
  ...SCREENS.map(({ path, who }) => ({ path, who })),
  { path: '/admin/withdrawals?status=pending', who: 'admin' as const },
  { path: '/admin/payroll?tab=history', who: 'admin' as const },
];

for (const { path, who } of ADDRESSES) {
  test(`${path} stays in place while it loads`, async ({ page, context }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(context, who);
    await page.addInitScript(() => {
      const shifts: { value: number; moved: string[] }[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number;
          sources: { node: Element | null }[];
        })[]) {
          const moved = entry.sources.map(
            ({ node }) => node?.parentElement?.outerHTML.slice(0, 90) ?? '',
          );
          shifts.push({ value: entry.value, moved });
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    // Replies that are slow enough for the bars of every part to show before its rows.
    await page.route('**/api/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      await route.fallback();
    });
    await page.goto(path);
    await expectLoaded(page);
    await page.waitForTimeout(300);
    const shifts = await page.evaluate(
      () => (window as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
    );
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    test.info().annotations.push({ type: 'layout shift', description: total.toFixed(3) });
    expect(total, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(MAX_SHIFT);
  });
}
