import { useState, useSyncExternalStore, type ReactNode } from 'react';
import type { Session } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { Notice } from '#web/ui/notice.tsx';

interface KeptSession {
  /** Takes the session that the server has just opened. Resolves when the browser was asked whether it kept it. */
  onSignedIn: (session: Session) => Promise<void>;
  /** Says that cookies are needed, where the browser refuses them; for the top of the form. */
  notice: ReactNode;
}

/**
 * Goes on with a new session if the browser kept its cookie. Otherwise every request would be refused, and the
 * person would find themselves signed out without a reason.
 *
 * @param onLost called where the browser did not keep it
 */
export function useKeptSession(
  onKept: (session: Session) => void,
  onLost?: () => void,
): KeptSession {
  const [isLost, setLost] = useState(false);
  const isRefused = !useSyncExternalStore(neverChanges, areCookiesOn, () => true);

  async function onSignedIn(session: Session): Promise<void> {
    setLost(false);
    if (await isKept()) return onKept(session);
    setLost(true);
    onLost?.();
  }

  const words = isLost
    ? 'You were signed in, but your browser did not keep it.'
    : 'Your browser blocks cookies for this site.';
  const notice = (isLost || isRefused) && (
    <div className="mt-4">
      <Notice tone="critical" role="alert">
        {words} Purser needs cookies to keep you signed in. Allow cookies for this site in your
        browser’s settings, then load this page again.
      </Notice>
    </div>
  );
  return { onSignedIn, notice };
}

/** Without an answer it counts as kept: the next request finds out. */
async function isKept(): Promise<boolean> {
  try {
    return (await call('getSession', {})).user !== null;
  } catch {
    return true;
  }
}

const neverChanges = () => () => undefined;
const areCookiesOn = () => navigator.cookieEnabled;
