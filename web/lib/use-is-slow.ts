import { useEffect, useState } from 'react';

/** Time after which people wonder whether anything is happening. */
const SLOW_AFTER_MS = 5_000;

/** True if something has been in progress for longer than {@link SLOW_AFTER_MS}. */
export function useIsSlow(isInProgress: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isInProgress) return undefined;
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isInProgress]);
  return isSlow;
}
