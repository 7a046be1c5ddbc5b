import type { Page } from '@playwright/test';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Lists whose rows can be selected, with filters under which the demo company has some to select. */
const LISTS = [
  '/admin/employees?rows=100',
  '/admin/withdrawals?rows=100',
  '/admin/deposits?rows=100',
  '/admin/bank-accounts?rows=100',
  '/admin/bills?rows=100&status=all',
];

/**
 * Remembers the cells that the tables have now. React gives an element another object of props whenever it
 * draws it, so `cellsDrawn` can count them. Time is not measured: it says little on a busy machine.
 */
async function rememberCells(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const cell of document.querySelectorAll('tbody td, tbody th')) {
      const props = Object.keys(cell).find((key) => key.startsWith('__reactProps$'));
      if (props === undefined) throw new Error('React keeps its props elsewhere now');
      const known = cell as unknown as Record<string, unknown>;
      known['drawnBefore'] = known[props];
    }
  });
}

/** Number of cells that were drawn since `rememberCells`. */
function cellsDrawn(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      [...document.querySelectorAll('tbody td, tbody th')].filter((cell) => {
        const props = Object.keys(cell).find((key) => key.startsWith('__reactProps$')) ?? '';
        const known = cell as unknown as Record<string, unknown>;
        return known['drawnBefore'] !== known[props];
      }).length,
  );
}

test('selecting a page of rows draws its checkboxes, and no row again', async ({
  page,
  context,
}) => {
  await signIn(context, 'admin');
  // Changes of other tests would be drawn in between.
  await page.route('**/api/events?*', () => undefined);
  for (const list of LISTS) {
    // oxlint-disable no-await-in-loop -- one page, one list after the other
    await page.goto(list);
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await expect(boxes.first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    await rememberCells(page);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(page.getByRole('group', { name: 'Selected rows' })).toBeVisible();
    await expect(page.getByRole('row', { selected: true })).toHaveCount(await boxes.count());
    expect(await cellsDrawn(page), `${list}: select the page`).toBe(0);
    await boxes.first().uncheck();
    await expect(page.getByRole('row', { selected: true })).toHaveCount((await boxes.count()) - 1);
    expect(await cellsDrawn(page), `${list}: select one`).toBe(0);
    // oxlint-enable no-await-in-loop
  }
});
