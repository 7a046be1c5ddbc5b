import { useEffect, useRef, useState } from 'react';

/** Time without a keystroke that counts as a pause. */
const TYPING_PAUSE_MS = 300;

/**
 * The text of a search field, ahead of the search itself, which is usually in the URL.
 * @param searched what the list is searched for now; when it changes from elsewhere (back, a link)
 *   the field follows
 * @param search runs the search, once the person has paused
 * @returns the text to show, and what to call as it is typed
 */
export function useTypedSearch(
  searched: string,
  search: (text: string) => void,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState(searched);
  const [sent, setSent] = useState(searched);
  const [seen, setSeen] = useState(searched);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  if (searched !== seen) {
    setSeen(searched);
    if (searched !== sent) {
      setSent(searched);
      setTyped(searched);
    }
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(text: string): void {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setSent(text);
      search(text);
    }, TYPING_PAUSE_MS);
  }

  return [typed, type];
}

/**
 * The last `text` that stayed the same for a moment, for work that should not run at each
 * keystroke.
 */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(setSettled, TYPING_PAUSE_MS, text);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
