/**
 * The person that the page is drawn for, and the lock over the page while their session has ended. While it
 * is locked everything stays in memory as it was, is hidden by the styles, and requests wait.
 */
let person: string | null = null;
let lock: PromiseWithResolvers<boolean> | null = null;
let returnTo: { focus: Element | null; x: number; y: number } | undefined;
const listeners = new Set<() => void>();

/** Names the person whose page this is from now on; null for a visitor, and for one who is logging out. */
export function setPagePerson(id: string | null): void {
  person = id;
}

/** The id of the person that the page is drawn for; null for a visitor. */
export function pagePerson(): string | null {
  return person;
}

export function isPageLocked(): boolean {
  return lock !== null;
}

/** Hides the page until its person has signed in again; does nothing where there is no person. */
export function lockPage(): void {
  if (person === null || lock !== null) return;
  lock = Promise.withResolvers();
  returnTo = { focus: document.activeElement, x: window.scrollX, y: window.scrollY };
  document.documentElement.dataset['locked'] = 'true';
  announce();
}

/**
 * Takes the lock away.
 *
 * @param isSamePerson whether the page goes on where it was; otherwise what waited is refused
 */
export function unlockPage(isSamePerson: boolean): void {
  if (lock === null) return;
  const { resolve } = lock;
  lock = null;
  delete document.documentElement.dataset['locked'];
  announce();
  resolve(isSamePerson);
  if (!isSamePerson || returnTo === undefined) return;
  window.scrollTo(returnTo.x, returnTo.y);
  if (returnTo.focus instanceof HTMLElement) returnTo.focus.focus({ preventScroll: true });
}

/** Resolves once the page is unlocked, to whether the same person goes on. */
export function untilUnlocked(): Promise<boolean> {
  return lock?.promise ?? Promise.resolve(true);
}

export function subscribeToPageLock(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  for (const listener of listeners) listener();
}
