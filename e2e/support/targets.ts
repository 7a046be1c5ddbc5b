import type { Page } from '@playwright/test';

const TOUCH_PX = 44;
const POINTER_PX = 40;

const CONTROLS = [
  'a[href]',
  'button',
  'summary',
  'select',
  'textarea',
  'input:not([type="hidden"])',
  ...['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'option'].map(
    (role) => `[role="${role}"]`,
  ),
].join();

/**
 * Controls that a finger misses: smaller than 44 px in a direction, or in part under another control. For a pointer,
 * those less than 40 px high. Measured by asking the page what a press would meet, so that a label and an invisible
 * larger target count and a covered one does not. A link within a sentence is as high as its line (WCAG 2.5.5).
 */
export function smallTargets(page: Page, isTouch: boolean): Promise<string[]> {
  return page.evaluate(
    ({ selector, size, isTouch: isFinger }) => {
      /** Chromium also meets what begins within one pixel to the right of a point or below it. */
      const AHEAD_PX = 1;
      /** Distance from an edge that is still on its side. */
      const WITHIN_PX = 1 / 16;
      /** Steps in which the end of an invisible target is looked for. */
      const STRIDE_PX = 1 / 4;
      /** Part of a size that may be missing: both ends are looked for in steps, and rows end between two pixels. */
      const MISSING_PX = 1.5;
      /** Distance of a point from both sides of a corner, which may be round. */
      const ROUND_PX = 4;

      const controlAt = (x: number, y: number) => {
        const met = document.elementFromPoint(x, y)?.closest(`${selector}, label`) ?? null;
        return met instanceof HTMLLabelElement ? met.control : met;
      };

      /** Ends of a target on one axis, or null if another control covers an end of its visible box. */
      const endsOf = (
        from: number,
        to: number,
        control: Element,
        at: (place: number) => unknown,
      ) => {
        const first = (place: number) => at(place - AHEAD_PX + WITHIN_PX);
        const last = (place: number) => at(place - WITHIN_PX);
        const inside = isFinger ? [from + WITHIN_PX, to - AHEAD_PX - WITHIN_PX] : [(from + to) / 2];
        if (inside.some((place) => at(place) !== control)) return null;
        const around = [(from + to - size) / 2, (from + to + size) / 2] as const;
        if (to - from >= size) return around;
        if (first(around[0]) === control && last(around[1]) === control) return around;
        let [start, end] = [from, to];
        while (end - start < size && first(start - STRIDE_PX) === control) start -= STRIDE_PX;
        while (end - start < size && last(end + STRIDE_PX) === control) end += STRIDE_PX;
        // A neighbor is met before it begins.
        if (start < from && first(start - STRIDE_PX) !== null) start -= AHEAD_PX;
        if (end > to && last(end + STRIDE_PX) !== null) end += AHEAD_PX;
        return [start, end] as const;
      };

      /** Fault of the target of a control that is pressed at this element. */
      const faultAt = (control: Element, element: Element) => {
        // Under a bar that stays in place nothing is met.
        const box = element.getBoundingClientRect();
        const isClear = box.top > innerHeight / 4 && box.bottom < (innerHeight * 3) / 4;
        if (!isClear || box.left < 0 || box.right > innerWidth) {
          element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        }
        const { left, right, top, bottom } = element.getClientRects()[0] ?? box;
        const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
        const ys = endsOf(top, bottom, control, (y) => controlAt(middleX, y));
        if (ys === null) return 'covered';
        const height = ys[1] - ys[0];
        const least = size - MISSING_PX;
        if (!isFinger) return height < least ? `${Math.round(height)} px high` : null;
        const xs = endsOf(left, right, control, (x) => controlAt(x, middleY));
        if (xs === null) return 'covered';
        const width = xs[1] - xs[0];
        if (width < least || height < least)
          return `${Math.round(width)} x ${Math.round(height)} px`;
        const isWhole = [xs[0] + ROUND_PX, xs[1] - ROUND_PX].every((x) =>
          [ys[0] + ROUND_PX, ys[1] - ROUND_PX].every((y) => controlAt(x, y) === control),
        );
        return isWhole ? null : 'a corner is covered';
      };

      const blockOf = (element: Element | null): Element | null =>
        element !== null && getComputedStyle(element).display === 'inline'
          ? blockOf(element.parentElement)
          : element;

      const isInSentence = (control: Element) => {
        const block = blockOf(control);
        if (block === null || block === control) return false;
        const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        while (texts.nextNode() !== null) {
          const { parentElement, textContent } = texts.currentNode;
          const isOutside = parentElement?.closest(selector) === null;
          if (isOutside && /\p{L}/u.test(textContent ?? '') && blockOf(parentElement) === block) {
            return true;
          }
        }
        return false;
      };

      /** Not drawn: for screen readers alone, as the head of a list is on phones. */
      const isClipped = (element: Element | null): boolean =>
        element !== null &&
        (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement));

      const faults: string[] = [];
      for (const control of document.querySelectorAll<HTMLElement>(selector)) {
        // The link that skips the navigation is drawn while it has the focus.
        if (control.closest('.skip, [aria-hidden="true"], [inert]')) continue;
        if (!control.checkVisibility({ visibilityProperty: true })) continue;
        if (getComputedStyle(control).pointerEvents === 'none') continue;
        let fault = faultAt(control, control);
        if (fault === null || isInSentence(control)) continue;
        if (isClipped(control)) {
          const label = control instanceof HTMLInputElement ? control.labels?.[0] : undefined;
          fault = label === undefined || isClipped(label) ? null : faultAt(control, label);
        }
        if (fault !== null) {
          const name = control.ariaLabel ?? (control.textContent?.trim() || control.id);
          faults.push(`${name} (${control.localName}.${control.className}): ${fault}`);
        }
      }
      return faults;
    },
    { selector: CONTROLS, size: isTouch ? TOUCH_PX : POINTER_PX, isTouch },
  );
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
