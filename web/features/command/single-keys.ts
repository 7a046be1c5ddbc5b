import { useSyncExternalStore } from 'react';
import { keptOnDevice } from '#web/lib/storage.ts';

/** Stored on the device. People who use speech input turn single keys off there (WCAG 2.1.4). */
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

/** True if single keys are on, with a function that sets it. */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return [useSyncExternalStore(subscribe, areSingleKeysOn, () => true), set];
}
