import { useSyncExternalStore } from 'react';

/** Kept on the device: who speaks to their computer turns single keys off there (WCAG 2.1.4). */
const STORAGE_KEY = 'purser.single-keys-off';
const listeners = new Set<() => void>();
/** For a browser that keeps nothing. */
let isOffHere = false;

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === null;
  } catch {
    return !isOffHere;
  }
}

function set(isOn: boolean): void {
  isOffHere = !isOn;
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, 'true');
  } catch {
    // Then it holds until the page is left.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a single key does something, and how to set it. */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, areSingleKeysOn, () => true), set];
}
