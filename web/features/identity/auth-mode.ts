import { useState } from 'react';

export type AuthMode = 'signup' | 'signin';

const STORAGE_KEY = 'purser.auth-mode';

/** Storage may be forbidden; the choice is then simply not remembered. */
function remembered(): AuthMode {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'signin' ? 'signin' : 'signup';
  } catch {
    return 'signup';
  }
}

/**
 * Sign-up or sign-in, as the person last chose on this device.
 *
 * @param asked the address asks for it, as /login does
 */
export function useAuthMode(asked: string | undefined): [AuthMode, (mode: AuthMode) => void] {
  const [mode, setMode] = useState(() => (asked === 'signin' ? asked : remembered()));
  function choose(next: AuthMode): void {
    setMode(next);
    try {
      localStorage.setItem(STORAGE_KEY, next);
    } catch {
      // Not remembered.
    }
  }
  return [mode, choose];
}
