import { useEffect, useRef } from 'react';

/**
 * For a dialog whose buttons change with the status of its subject. Once it has settled, the button
 * with this ref takes the focus if nothing else has it. Otherwise Escape would not reach the
 * dialog.
 */
export function useSettledFocus(isSettled: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isSettled && document.activeElement === document.body) button.current?.focus();
  }, [isSettled]);
  return button;
}

/**
 * For a list whose buttons disappear when pressed. The list's element takes the focus if rendering
 * removed the focused one. The element needs a `tabIndex` of -1.
 *
 * @param isHeld false on a screen until something is pressed, because opening it must not take the
 * focus
 */
export function useKeptFocus<Kept extends HTMLElement>(isHeld = true) {
  const kept = useRef<Kept>(null);
  useEffect(() => {
    if (!isHeld) return undefined;
    const keep = () => {
      if (document.activeElement === document.body) kept.current?.focus();
    };
    keep();
    // A dialog that closes gives the focus back a frame later, maybe to a button that is gone by then.
    const frame = requestAnimationFrame(keep);
    return () => cancelAnimationFrame(frame);
  });
  return kept;
}
