/** Whether amounts are hidden on the employee's screens, for who uses Purser among other people. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import { writeDeviceCookie } from './device-cookies.ts';
import { keptOnDevice } from './storage.ts';

/** Kept on the device, not with the person: it is about who stands beside it. */
const STORAGE_KEY = 'purser.amounts-hidden';
const listeners = new Set<() => void>();

/** For the whole device, whoever uses it. */
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

/** The switch itself: whether it is on, and how to set it. */
export function usePrivacySwitch(): [boolean, (isHidden: boolean) => void] {
  return [useSyncExternalStore(subscribe, areAmountsHidden, () => false), write];
}

/** Whether amounts under here are hidden. What is being moved right now stays visible. */
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
