import { useEffect } from 'react';

/** Place of the work: a dialog, which any step through the history closes, or a screen, which only another screen replaces. */
type Place = 'dialog' | 'screen';

const unsaved = new Set<{ place: Place }>();

/** Asks before leaving by a link, the Back button or a reload, while typed input would be lost. */
export function useUnsavedWork(hasWork: boolean, place: Place): void {
  useEffect(() => {
    if (!hasWork) return undefined;
    const work = { place };
    unsaved.add(work);
    return () => void unsaved.delete(work);
  }, [hasWork, place]);
}

/** True if leaving loses something that was typed. */
export function hasUnsavedWork(place?: Place): boolean {
  return place === undefined ? unsaved.size > 0 : [...unsaved].some((work) => work.place === place);
}
