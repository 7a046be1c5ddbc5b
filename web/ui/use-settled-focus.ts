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
