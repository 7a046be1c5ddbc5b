import { useCallback, useEffect, useRef } from 'react';

/**
 * Runs an act that may move the screen, such as showing a message under a field that loses focus.
 * It runs immediately, or after the current press. Otherwise the pressed control would move away
 * from under the pointer.
 */
export function useAfterPress(): (act: () => void) => void {
  const isPressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = () => (isPressed.current = true);
    const release = () => {
      isPressed.current = false;
      // The click follows the release.
      timer = setTimeout(() => {
        for (const act of waiting.current.splice(0)) act();
      });
    };
    window.addEventListener('pointerdown', press, true);
    window.addEventListener('pointerup', release, true);
    window.addEventListener('pointercancel', release, true);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pointerdown', press, true);
      window.removeEventListener('pointerup', release, true);
      window.removeEventListener('pointercancel', release, true);
    };
  }, []);

  return useCallback((act) => {
    if (isPressed.current) waiting.current.push(act);
    else act();
  }, []);
}
