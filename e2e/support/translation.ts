import type { Page } from '@playwright/test';

/**
 * Has a page translated as browsers do it: each text node with words is moved into elements of the translation
 * (`<font><font>`), after the page is loaded and again after each change, but for what is marked
 * `translate="no"`. The words stay as they are. To be called before the page is opened.
 */
export async function translatePages(page: Page): Promise<void> {
  await page.addInitScript(translate);
}

/** Amounts on a screen, in their order, as a person reads them. */
export async function amountsOf(page: Page): Promise<string[]> {
  const text = await page.getByRole('main').innerText();
  return text.match(/[+\u2212]?[$\u20ac\u00a3]\s?\d[\d,]*(?:\.\d\d)?/g) ?? [];
}

/** Runs in the page, before its own scripts. */
function translate(): void {
  const isLeftAlone = (node: Node) =>
    node.parentElement === null ||
    node.parentElement.closest(
      '[translate="no"], font, script, style, textarea, option, title, svg',
    ) !== null;

  function wrap(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : [];
    while (walker.nextNode()) found.push(walker.currentNode);
    for (const node of found) {
      if (node.nodeValue?.trim() === '' || isLeftAlone(node)) continue;
      const outer = document.createElement('font');
      const inner = outer.appendChild(document.createElement('font'));
      // A new text node, as of a translation: the former one is no longer in the page.
      inner.append(node.nodeValue ?? '');
      (node as ChildNode).replaceWith(outer);
    }
  }

  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      wrap(target);
      for (const node of addedNodes) wrap(node);
    }
  });
  addEventListener('DOMContentLoaded', () => {
    wrap(document.body);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}
