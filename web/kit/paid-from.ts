import { useCallback, useEffect, useState } from 'react';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { useMoments } from '#web/ui/time.tsx';

interface Payable {
  payableFrom: string | null;
  /** False after the bank sent a payout back, until the account is verified again. */
  isBankVerified?: boolean;
  /** Earlier bill that the bank sent back from the payee, until the payee is confirmed. */
  payee?: { returned: object | null };
}

/** Longest wait of a timer: browsers end a longer one immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * "Can be paid from Nov 26, 9:04 AM", "Bank account not verified" or "Payee not confirmed", for a thing whose money must not be
 * sent yet; undefined once it may. The function is another one as soon as one of `things` may be paid, so
 * that rows which are kept are drawn again.
 */
export function usePaidFrom(things: readonly Payable[]): (thing: Payable) => string | undefined {
  const writeMoment = useMoments();
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const moments = things
      .map((thing) => stillCoolingOff(thing, nowMs))
      .filter((moment) => moment !== null);
    if (moments.length === 0) return undefined;
    const nextMs = Math.min(...moments.map((moment) => new Date(moment).getTime()));
    const waitMs = Math.min(Math.max(nextMs - Date.now(), 0), MAX_TIMER_MS);
    const timer = setTimeout(() => setNowMs(Date.now()), waitMs);
    return () => clearTimeout(timer);
  }, [things, nowMs]);
  return useCallback(
    (thing) => {
      if (thing.isBankVerified === false) return 'Bank account not verified';
      if (thing.payee && thing.payee.returned !== null) return 'Payee not confirmed';
      const from = stillCoolingOff(thing, nowMs);
      return from === null ? undefined : `Can be paid from ${writeMoment(from, 'shortDateTime')}`;
    },
    [nowMs, writeMoment],
  );
}
