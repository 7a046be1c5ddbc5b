import { useState } from 'react';
import { writeDeviceCookie } from '#web/lib/device-cookies.ts';

export type AuthMode = 'signup' | 'signin';

const STORAGE_KEY = 'purser.auth-mode';

function isMode(text: string | undefined): text is AuthMode {
  return text === 'signup' || text === 'signin';
}

/** Storage may be forbidden; the choice is then simply not remembered. */
export function rememberedAuthMode(): AuthMode {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'signin' ? 'signin' : 'signup';
  } catch {
    return 'signup';
  }
}

/**
 * Sign-up or sign-in, as the person last chose on this device.
 *
 * @param asked the address asks for it, as /login and /signup do
 */
export function useAuthMode(asked: string | undefined): [AuthMode, (mode: AuthMode) => void] {
  const [mode, setMode] = useState(() => (isMode(asked) ? asked : rememberedAuthMode()));
  function choose(next: AuthMode): void {
    setMode(next);
    writeDeviceCookie('authMode', next);
    try {
      localStorage.setItem(STORAGE_KEY, next);
    } catch {
      // Not remembered.
    }
  }
  return [mode, choose];
}
