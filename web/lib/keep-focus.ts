/** Elements that the keyboard can reach. */
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

/** A dialog that closes returns the focus in the next frame. This delay ends after it. */
const SETTLE_MS = 60;

/**
 * Last position of the focus: its ancestors up to the main part, each with its index among its
 * siblings.
 */
type Trail = readonly { element: Element; index: number }[];

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * Puts the focus back when what had it is gone, such as the row of a request that was decided: on the
 * row that took its place, else on what is near, else on the screen's title. Otherwise the browser drops
 * it to the body, and a keyboard or a screen reader begins at the top (WCAG 2.4.3). The same after a dialog
 * that followed another one: it would give the focus back to the first, which is gone.
 */
export function keepFocus(root: Document): void {
  let trail: Trail = [];
  /** True if a dialog had the focus last. A press on the bare page also drops the focus, which is intended. */
  let wasInDialog = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restore = () => {
    const [last] = trail;
    const isLost = root.activeElement === null || root.activeElement === root.body;
    if (last === undefined || !isLost) return;
    const { element } = last;
    if (isSeen(element) && !wasInDialog) return;
    if (root.querySelector(DIALOG) !== null) return;
    wasInDialog = false;
    if (isSeen(element) && element instanceof HTMLElement) element.focus();
    else nearest(trail)?.focus();
  };

  root.addEventListener('focusin', ({ target }) => {
    const element = target instanceof HTMLElement ? target : null;
    wasInDialog = element?.closest(DIALOG) != null;
    if (element?.closest('main') != null) trail = trailOf(element);
  });
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(restore, SETTLE_MS);
  }).observe(root.body, { childList: true, subtree: true });
}

/** False for a disabled button too: it has lost the focus like a removed one. */
function isSeen(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled');
}

function trailOf(element: Element): Trail {
  const trail: { element: Element; index: number }[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const siblings = at.parentElement?.children ?? [];
    trail.push({ element: at, index: [...siblings].indexOf(at) });
    if (at.tagName === 'MAIN') break;
  }
  return trail;
}

/**
 * The element at the last position of the focus, in the smallest part of the screen that still
 * exists.
 */
function nearest(trail: Trail): HTMLElement | null {
  const top = trail.findIndex(({ element }) => element.isConnected);
  for (const [depth, { element: parent }] of trail.entries()) {
    if (top === -1 || depth < top || depth === 0) continue;
    const gone = trail[depth - 1];
    const sibling = parent.children[gone?.index ?? 0] ?? parent.lastElementChild;
    const found = sibling?.querySelector<HTMLElement>(FOCUSABLE);
    if (found != null) return found;
    const title = parent.querySelector<HTMLElement>('h1[tabindex], h2[tabindex]');
    if (title !== null) return title;
  }
  return document.querySelector<HTMLElement>('main h1[tabindex]');
}
