import type { Page } from '@playwright/test';

/** Controls of a screen. */
const OF_SCREEN = 'main a[href], main button, .topbar a[href], .topbar button, .nav a[href]';

/** Controls of what is open over a screen. Screen readers alone meet the one that dismisses it. */
export const OF_OVERLAY =
  ':is([role="dialog"], .popover) :is(a[href], button:not([aria-label="Dismiss"]))';

/**
 * Controls that answer to less than `size` pixels in height. Measured by asking the page what a press
 * would meet, so that an invisible larger target counts and a covered one does not.
 */
export function smallTargets(page: Page, size: number, of = OF_SCREEN): Promise<string[]> {
  const measure = ([wanted, selector]: [number, string]) => {
    const small: string[] = [];
    const controls = document.querySelectorAll<HTMLElement>(selector);
    for (const control of controls) {
      const head = control.closest('thead');
      // On phones a list has no head to be seen.
      const isHeadHidden = head !== null && getComputedStyle(head).clipPath !== 'none';
      const isShown = control.checkVisibility({ visibilityProperty: true }) && !isHeadHidden;
      if (!isShown || control.closest('.skip, .wordmark, [aria-hidden="true"]')) continue;
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, right, top, bottom } = control.getBoundingClientRect();
      // Both lines of a link that wraps begin at its left.
      const x = control.getClientRects().length > 1 ? left + 4 : (left + right) / 2;
      const middle = (top + bottom) / 2;
      const answers = (y: number) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && control.contains(hit);
      };
      let height = answers(middle) ? 1 : 0;
      for (const side of [-1, 1]) {
        let y = middle;
        // In strides, and the last ones by the pixel: asking costs more than all else here.
        for (const stride of [4, 1]) {
          while (height < wanted && answers(y + side * stride)) {
            y += side * stride;
            height += stride;
          }
        }
      }
      // A row of pixels is lost where edges lie between them.
      if (height < wanted - 1) {
        small.push(`${control.ariaLabel ?? control.textContent}: ${height} px`);
      }
    }
    return small;
  };
  return page.evaluate(measure, [size, of] as [number, string]);
}

/** Fields whose text is smaller than 16 px, which iPhones zoom into. Each as "Amount: 14 px". */
export function smallFields(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input, select, textarea')]
      .filter(({ type }) => !['checkbox', 'radio', 'file', 'hidden'].includes(type))
      .map((field) => {
        const size = Number.parseFloat(getComputedStyle(field).fontSize);
        const label = field.labels?.[0]?.textContent ?? field.ariaLabel ?? field.name;
        return size < 16 ? `${label}: ${size} px` : '';
      })
      .filter((words) => words !== ''),
  );
}

/** Controls that look as the browser draws them, because no style sheet that they need is loaded. */
export function unstyledControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, select, textarea, input')]
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => ['outset', 'inset'].includes(getComputedStyle(control).borderTopStyle))
      .map((control) => control.ariaLabel ?? control.textContent ?? control.tagName),
  );
}
