import { useState, useSyncExternalStore, type ReactNode } from 'react';
import type { Session } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { Notice } from '#web/ui/notice.tsx';
import { announceSession } from './other-tabs.ts';
import { forgetRedirects } from './redirects.ts';
import { useTakeSession } from './use-session.ts';

interface KeptSession {
  /**
   * Uses the session that the server has just opened, after checking that the browser kept its
   * cookie.
   */
  onSignedIn: (session: Session) => Promise<void>;
  /** The same for an accepted invite. Calls `beforeTaken` before the page becomes the person's. */
  onAccepted: (session: Session, beforeTaken: () => void) => Promise<void>;
  /** Says that cookies are needed, if the browser refuses them. Shown at the top of the form. */
  notice: ReactNode;
}

/**
 * Continues with a new session if the browser kept its cookie. Otherwise every request would be
 * refused, and the person would be signed out without a reason.
 *
 * @param onLost called if the browser did not keep it
 */
export function useKeptSession(
  onKept: (session: Session) => void,
  onLost?: () => void,
): KeptSession {
  const [isLost, setLost] = useState(false);
  const isRefused = !useSyncExternalStore(neverChanges, areCookiesOn, () => true);

  async function take(session: Session, beforeTaken?: () => void): Promise<void> {
    setLost(false);
    if (await isKept()) {
      beforeTaken?.();
      return onKept(session);
    }
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
  // One parameter only, because mutations call it with more.
  return { onSignedIn: (session) => take(session), onAccepted: take, notice };
}

/** Uses the session of a person who has just signed in, in this tab and in the others. */
export function useTakeSignedIn(): (session: Session) => void {
  const takeSession = useTakeSession();
  return (session) => {
    forgetRedirects();
    takeSession(session);
    announceSession('signed-in');
  };
}

/** Counts as kept if there is no answer. The next request finds out. */
async function isKept(): Promise<boolean> {
  try {
    return (await call('getSession', {})).user !== null;
  } catch {
    return true;
  }
}

const neverChanges = () => () => undefined;
const areCookiesOn = () => navigator.cookieEnabled;
