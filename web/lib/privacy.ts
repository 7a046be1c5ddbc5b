/** Hides amounts on the employee's screens, for people who use Purser near others. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import { writeDeviceCookie } from './device-cookies.ts';
import { keptOnDevice } from './storage.ts';

/** Stored on the device, not with the person, because it depends on the people nearby. */
const STORAGE_KEY = 'purser.amounts-hidden';
const listeners = new Set<() => void>();

/** Setting for the whole device and all its users. */
export function areAmountsHidden(): boolean {
  return keptOnDevice.get(STORAGE_KEY) === 'true';
}

function write(isHidden: boolean): void {
  keptOnDevice.set(STORAGE_KEY, isHidden ? 'true' : null);
  writeDeviceCookie('amounts', isHidden ? 'hidden' : 'shown');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab of the same device.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** State of the switch, with a function that sets it. */
export function usePrivacySwitch(): [boolean, (isHidden: boolean) => void] {
  return [useSyncExternalStore(subscribe, areAmountsHidden, () => false), write];
}

/** True if amounts below are hidden. The amount being moved stays visible. */
export const AmountsHiddenContext = createContext(false);

export function useAmountsHidden(): boolean {
  return useContext(AmountsHiddenContext);
}

/** An amount as we write it in a sentence: `+$1,250.00`, `−€5.00`. */
const WRITTEN_AMOUNT = /([+\u2212-]?[$€£])[\d,]+(?:\.\d+)?/g;

/** Writes a sentence with its amounts hidden where they are: `$••••`. The sign stays. */
export function useAmountWords(): (words: string) => string {
  const isHidden = useAmountsHidden();
  return (words) => (isHidden ? words.replaceAll(WRITTEN_AMOUNT, '$1••••') : words);
}
