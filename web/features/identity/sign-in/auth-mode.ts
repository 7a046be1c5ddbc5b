import { useState } from 'react';
import { writeDeviceCookie } from '#web/lib/device-cookies.ts';
import { keptOnDevice } from '#web/lib/storage.ts';

export type AuthMode = 'signup' | 'signin';

const STORAGE_KEY = 'purser.auth-mode';

function isMode(text: string | undefined): text is AuthMode {
  return text === 'signup' || text === 'signin';
}

/** The form that the last visit on this device ended with. */
export function rememberedAuthMode(): AuthMode {
  return keptOnDevice.get(STORAGE_KEY) === 'signin' ? 'signin' : 'signup';
}

/**
 * Sign-up or sign-in, as the person last chose on this device; sign-in where somebody has been signed in.
 *
 * @param asked the address asks for it, as /login and /signup do
 */
export function useAuthMode(asked: string | undefined): [AuthMode, (mode: AuthMode) => void] {
  const [mode, setMode] = useState(() => (isMode(asked) ? asked : rememberedAuthMode()));
  function choose(next: AuthMode): void {
    setMode(next);
    rememberAuthMode(next);
  }
  return [mode, choose];
}

/** Has the next visit on this device begin with that form. */
export function rememberAuthMode(mode: AuthMode): void {
  writeDeviceCookie('authMode', mode);
  keptOnDevice.set(STORAGE_KEY, mode);
}
