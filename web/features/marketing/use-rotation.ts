import { useEffect, useState } from 'react';

/** Time for which a slide stays. The fade is `--slow`, 300 ms. */
export const SLIDE_HOLD_MS = 4_000;

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

/** True on the server, where nothing moves. */
function prefersLessMotion(): boolean {
  return typeof window !== 'undefined' && window.matchMedia(REDUCED_MOTION).matches;
}

/**
 * Rotates through `count` slides. Pauses on hover and focus, when the user pauses it, and from the
 * start if the system asks for reduced motion (WCAG 2.2.2).
 */
export function useRotation(count: number) {
  const [shown, setShown] = useState(0);
  const [isPaused, setIsPaused] = useState(prefersLessMotion);
  const [isHeld, setIsHeld] = useState(false);
  const isTurning = !isPaused && !isHeld;

  useEffect(() => {
    if (!isTurning) return undefined;
    const timer = setInterval(() => setShown((current) => (current + 1) % count), SLIDE_HOLD_MS);
    return () => clearInterval(timer);
  }, [isTurning, count]);

  useEffect(() => {
    const media = window.matchMedia(REDUCED_MOTION);
    const onChange = () => setIsPaused(media.matches);
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, []);

  return {
    shown,
    show: setShown,
    isPaused,
    setIsPaused,
    hold: () => setIsHeld(true),
    release: () => setIsHeld(false),
  };
}
