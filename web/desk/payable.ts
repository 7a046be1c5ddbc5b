import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { Thing } from '#contract/things/thing.ts';
import { markStale } from '#web/api/live.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { useMoments } from '#web/ui/time.tsx';
import type { Desk, DeskRow } from './desk.ts';

/** Fields of a thing whose money waits before it can leave. */
interface Payable {
  payableFrom?: string | null;
  /** False after the bank sent a payout back, until the account is verified again. */
  isBankVerified?: boolean;
  /** Earlier bill that the bank sent back from the payee, until the payee is confirmed. */
  payee?: { returned: object | null };
}

/** Longest wait of a timer: browsers end a longer one immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Reads things again as soon as the first of them may be paid: until then the server refuses the act. */
export function useReadWhenPayable({ topic }: Thing, rows: readonly (DeskRow & Payable)[]): void {
  const queryClient = useQueryClient();
  const moments = rows.map((row) => stillCoolingOff(row)).filter((moment) => moment !== null);
  const next = moments.toSorted()[0];
  useEffect(() => {
    if (next === undefined) return undefined;
    const waitMs = Math.min(new Date(next).getTime() - Date.now(), MAX_TIMER_MS);
    const timer = setTimeout(() => markStale(queryClient, topic), waitMs);
    return () => clearTimeout(timer);
  }, [next, queryClient, topic]);
}

/**
 * Writes in the few words of a row why the act by which its money leaves has to wait: "Can be paid from
 * Nov 26, 9:04 AM", "Bank account not verified" or "Payee not confirmed". Its details have the whole sentence.
 */
export function useWaitWords({
  leavesBy,
}: Desk): (row: DeskRow & Payable, act: string) => string | undefined {
  const writeMoment = useMoments();
  return useCallback(
    (row, act) => {
      if (act !== leavesBy) return undefined;
      if (row.isBankVerified === false) return 'Bank account not verified';
      if (row.payee && row.payee.returned !== null) return 'Payee not confirmed';
      const from = stillCoolingOff(row);
      return from === null ? undefined : `Can be paid from ${writeMoment(from, 'shortDateTime')}`;
    },
    [leavesBy, writeMoment],
  );
}
