/**
 * The only place that touches the browser's storage. A browser may refuse it (cookies blocked, private windows,
 * settings of a company), and then throws on any access, or has no room. Texts then last as long as the page.
 */
export interface KeptTexts {
  /** Kept text; null if nothing is kept under the key. */
  get: (key: string) => string | null;
  /** Keeps the text; null removes it. */
  set: (key: string, text: string | null) => void;
}

/** Storage for every tab of this browser, also after it was closed. */
export const keptOnDevice = keptIn(() => localStorage);

/** Storage for this tab, also after a reload. */
export const keptInTab = keptIn(() => sessionStorage);

function keptIn(open: () => Storage): KeptTexts {
  /** Texts that the browser would not keep. */
  const refused = new Map<string, string | null>();

  function get(key: string): string | null {
    const here = refused.get(key);
    if (here !== undefined) return here;
    try {
      return open().getItem(key);
    } catch {
      return null;
    }
  }

  function set(key: string, text: string | null): void {
    try {
      if (text === null) open().removeItem(key);
      else open().setItem(key, text);
      refused.delete(key);
    } catch {
      refused.set(key, text);
    }
  }

  return { get, set };
}
