import type { Deposit, RailStep, RouteReply } from '#contract/api.ts';
import type { DepositStatus } from '#contract/deposits.ts';
import { takenSteps } from '#web/desk/rail.ts';
import { formatDayRange } from '#web/lib/format.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';
import { methodWords } from './words.ts';

/**
 * Requested → Approved → Arrived, as far as this deposit has come, and what is ahead. It arrives
 * with its approval.
 */
export function depositRail(deposit: Deposit, companyName: string): DatedStep[] {
  const { status, history, reference, method, expected, walletName, walletLast4 } = deposit;
  const wallet = `${walletName} ••${walletLast4}`;
  const taken = stepsOf(history, status, wallet);
  if (status !== 'pending') return taken;
  return [
    ...taken,
    {
      state: 'now',
      what: 'Waiting for approval',
      who: `${companyName} ${methodWords(method, deposit.amount.currency).waiting} ${reference}`,
      time: 'Now',
    },
    {
      state: 'next',
      what: 'Arrived',
      who: `In ${wallet}. We notify you.`,
      ...(expected === null
        ? {}
        : { time: formatDayRange(expected.from, expected.to), timeNote: 'expected' }),
    },
  ];
}

/** The same for an admin, whose turn it is while it is pending. Where it takes two, one confirmed it before. */
export function adminDepositRail(deposit: RouteReply<'adminGetDeposit'>): DatedStep[] {
  const { status, history, confirmed, acts, walletName, walletLast4 } = deposit;
  const wallet = `${walletName} ••${walletLast4}`;
  const [requested, ...later] = stepsOf(history, status, wallet);
  const taken = [
    ...(requested === undefined ? [] : [requested]),
    ...(confirmed === null
      ? []
      : [{ state: 'done', what: 'Confirmed', who: confirmed.by, at: confirmed.at } as const]),
    ...later,
  ];
  if (status !== 'pending') return taken;
  const takesTwo = acts.some(({ act }) => act === 'confirm');
  return [
    ...taken,
    takesTwo
      ? { state: 'now', what: 'Waiting for confirmation', who: 'An administrator', time: 'Now' }
      : {
          state: 'now',
          what: 'Waiting for approval',
          who: confirmed === null ? 'An administrator' : 'Another administrator',
          time: 'Now',
        },
    ...(takesTwo
      ? [{ state: 'next', what: 'Approved', who: 'By another administrator' } as const]
      : []),
    { state: 'next', what: 'Arrived', who: wallet, time: 'Immediately' },
  ];
}

/** Steps that were taken. An approved deposit has arrived with its approval. */
function stepsOf(history: readonly RailStep[], status: DepositStatus, wallet: string): DatedStep[] {
  const taken = takenSteps(history);
  if (status !== 'approved') return taken;
  return [...taken, { state: 'arrived', what: 'Arrived', who: wallet, at: history.at(-1)?.at }];
}
