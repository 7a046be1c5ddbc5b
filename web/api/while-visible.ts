/** A tab that is hidden for less than this goes on as if it was not. */
const HIDDEN_FOR_MS = 15_000;

/**
 * Does something while the page can be seen, and stops it once it has been hidden for a while.
 *
 * @param begin is given whether the page was hidden before; answers how to stop
 * @returns stops it for good
 */
export function whileVisible(begin: (wasHidden: boolean) => () => void): () => void {
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let end = document.hidden ? undefined : begin(false);

  function look(): void {
    clearTimeout(hiding);
    if (!document.hidden) end ??= begin(true);
    else hiding = setTimeout(pause, HIDDEN_FOR_MS);
  }
  function pause(): void {
    end?.();
    end = undefined;
  }

  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(hiding);
    pause();
  };
}
