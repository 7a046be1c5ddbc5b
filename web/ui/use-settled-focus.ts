import { useEffect, useRef } from 'react';

/**
 * For a dialog whose buttons go with the status of what it shows: once it has settled, the button of
 * this ref takes the focus if nothing else has it. Without, Escape would reach nothing.
 */
export function useSettledFocus(isSettled: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isSettled && document.activeElement === document.body) button.current?.focus();
  }, [isSettled]);
  return button;
}

/**
 * For a list whose buttons go once they are pressed: its element takes the focus where rendering
 * removed what had it. The element needs a `tabIndex` of -1.
 *
 * @param isHeld false on a screen until something was pressed: what opens takes no focus by itself
 */
export function useKeptFocus<Kept extends HTMLElement>(isHeld = true) {
  const kept = useRef<Kept>(null);
  useEffect(() => {
    if (isHeld && document.activeElement === document.body) kept.current?.focus();
  });
  return kept;
}
