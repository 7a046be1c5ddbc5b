import { useBlocker } from '@tanstack/react-router';
import { Suspense, lazy, useEffect } from 'react';
import { useIsPageLocked } from '#web/api/use-page-lock.ts';
import { dismissToasts } from '#web/ui/toast-queue.ts';

const LockScreen = lazy(async () => {
  try {
    const { LockScreen: screen } = await import('./lock-screen.tsx');
    return { default: screen };
  } catch {
    // The page is hidden and cannot be unlocked: its address asks to sign in and leads back.
    location.reload();
    return { default: () => null };
  }
});

/** Covers the page while its person has to sign in again. Once, at the root of the app. */
export function SessionLock() {
  return useIsPageLocked() ? <Lock /> : null;
}

function Lock() {
  // The Back button would leave what was typed.
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: false });
  useEffect(dismissToasts, []);
  useEffect(keepKeysInside, []);
  useEffect(hideTitle, []);
  return (
    <Suspense fallback={null}>
      <LockScreen className={LOCK_CLASS} />
    </Suspense>
  );
}

/** The class of the element that the lock screen is drawn in; the styles hide everything else. */
const LOCK_CLASS = 'lock';

/** Keeps the keys of the page behind from doing anything, such as opening the command palette. */
function keepKeysInside(): () => void {
  function isOutside({ target }: Event): boolean {
    return !(target instanceof Element) || target.closest(`.${LOCK_CLASS}`) === null;
  }
  function stop(event: Event): void {
    if (isOutside(event)) event.stopImmediatePropagation();
  }
  window.addEventListener('keydown', stop, { capture: true });
  return () => window.removeEventListener('keydown', stop, { capture: true });
}

/** The title of a page may name a person. */
function hideTitle(): () => void {
  const { title } = document;
  document.title = 'Signed out · Purser';
  return () => {
    document.title = title;
  };
}
