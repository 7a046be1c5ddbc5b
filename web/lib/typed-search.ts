import { useEffect, useRef, useState } from 'react';

/** How long after the last keystroke a search is run. */
const SEARCH_PAUSE_MS = 300;

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
    }, SEARCH_PAUSE_MS);
  }

  return [typed, type];
}

/** `value` as it was when it last stayed the same for `pauseMs`. */
export function useSettled<Value>(value: Value, pauseMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setSettled, pauseMs, value);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
