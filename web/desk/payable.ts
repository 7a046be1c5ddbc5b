import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { PayoutContext } from '#contract/api.ts';
import type { Thing } from '#contract/things/thing.ts';
import { markStale } from '#web/api/live.ts';
import type { Payer } from '#web/kit/payout-facts.tsx';
import { isLegal } from '#web/lib/offered-acts.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { useMoments } from '#web/ui/time.tsx';
import { offersOf } from './acts.ts';
import type { Desk, DeskRow } from './desk.ts';

/** Fields of a thing whose money waits before it can leave. */
interface Payable {
  context?: PayoutContext;
  payableFrom?: string | null;
  /** False after the bank sent a payout back, until the account is verified again. */
  isBankVerified?: boolean;
  /** Earlier bill that the bank sent back from the payee, until the payee is confirmed. */
  payee?: { returned: object | null };
}

/**
 * Person whose money leaves by a thing, or null where none does. The moment from which it can be paid is left out
 * once it was sent.
 */
export function payerOf({ thing, payer }: Desk, one: DeskRow & Payable): Payer | null {
  if (payer === undefined || one.context === undefined) return null;
  const isSent =
    thing.movesMoney &&
    !Object.entries(offersOf(thing)).some(
      ([act, { kind, isCompletion }]) =>
        kind === 'money' && isCompletion !== true && isLegal(one, act),
    );
  return { context: one.context, payableFrom: isSent ? null : stillCoolingOff(one), to: payer };
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
