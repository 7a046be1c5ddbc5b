import { useSyncExternalStore } from 'react';
import { isPageLocked, subscribeToPageLock } from './session-lock.ts';

/** True if the page is locked, because its person's session has ended. */
export function useIsPageLocked(): boolean {
  return useSyncExternalStore(subscribeToPageLock, isPageLocked, () => false);
}
