import { useSyncExternalStore } from 'react';
import { keptOnDevice } from '#web/lib/storage.ts';

/** Kept on the device: who speaks to their computer turns single keys off there (WCAG 2.1.4). */
const STORAGE_KEY = 'purser.single-keys-off';
const listeners = new Set<() => void>();

export function areSingleKeysOn(): boolean {
  return keptOnDevice.get(STORAGE_KEY) === null;
}

function set(isOn: boolean): void {
  keptOnDevice.set(STORAGE_KEY, isOn ? null : 'true');
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
