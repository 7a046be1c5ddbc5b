import { useEffect, useState } from 'react';

/** After so long a person wonders whether anything happens. */
const SLOW_AFTER_MS = 5_000;

/** Whether something has been in progress for longer than a few seconds. */
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
