import type { Locator, Page } from '@playwright/test';

/**
 * Sets the value of a field as some password managers and form fillers do it, without any event.
 *
 * @param world `page`: the program assigns to `value` as scripts of the page do; `extension`: it has the
 *   browser's own property, because extensions see elements without what scripts of the page added to them
 */
export async function fillSilently(
  field: Locator,
  value: string,
  world: 'page' | 'extension' = 'extension',
): Promise<void> {
  await field.evaluate(
    (element, [text, isPage]) => {
      const input = element as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
      if (isPage) {
        input.value = text;
        return;
      }
      const { prototype } = input.constructor as { prototype: object };
      Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, text);
    },
    [value, world === 'page'] as const,
  );
}

/**
 * Has every field of a page put into an element of its own, between two others, as password managers and
 * writing aids do it; again after each change. To be called before the page is opened.
 */
export async function wrapFields(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const wrapped = new WeakSet<Element>();
    function wrapAll(): void {
      for (const field of document.querySelectorAll('input, textarea, select')) {
        if (wrapped.has(field)) continue;
        wrapped.add(field);
        const frame = document.createElement('other-program');
        field.replaceWith(frame);
        frame.append(
          document.createElement('other-icon'),
          field,
          document.createElement('other-icon'),
        );
        frame.before(document.createElement('other-icon'));
        frame.after(document.createElement('other-icon'));
      }
    }
    addEventListener('DOMContentLoaded', () => {
      wrapAll();
      new MutationObserver(wrapAll).observe(document.body, { childList: true, subtree: true });
    });
  });
}
