import { useEffect, useEffectEvent } from 'react';

/** The acts of single keys, by the key as it is typed, lower case. */
export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

/** Elements in which a key is typed for something else: a field, a menu, another dialog above. */
const OWN_KEYS = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]';

/**
 * Single keys for the dialog that is open. They keep still while a field is typed in, while a menu
 * or a question is open above, and with Ctrl, Alt or Command, which are the browser's.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const run = shortcuts[event.key.toLowerCase()];
    if (run === undefined || event.repeat || !isFree(event)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isFree(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return false;
  if (!(event.target instanceof Element) || event.target.closest(OWN_KEYS) !== null) return false;
  return document.querySelectorAll('[role="dialog"], [role="alertdialog"]').length <= 1;
}
