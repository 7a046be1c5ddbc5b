import type { Withdrawal } from '#contract/api.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { takenSteps } from '#web/desk/rail.ts';
import { formatDayRange } from '#web/lib/format.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';

type OnItsWay = Extract<WithdrawalStatus, 'pending' | 'approved' | 'processing'>;

/** Words for the awaited step. */
const WAITING: Record<OnItsWay, string> = {
  pending: 'Waiting for approval',
  approved: 'Being sent',
  processing: 'On its way',
};

/** The steps that lie behind what is waited for. */
const AHEAD: Record<OnItsWay, readonly string[]> = {
  pending: ['Sent', 'Arrived'],
  approved: ['Arrived'],
  processing: [],
};

/** Requested → Approved → Sent → Arrived, as far as this withdrawal has come, and what is ahead. */
export function withdrawalRail(withdrawal: Withdrawal): DatedStep[] {
  const { status, history } = withdrawal;
  const taken = takenSteps(history);
  if (!isOnItsWay(status)) return taken;
  return [...taken, ...stepsAhead(withdrawal, status)];
}

function isOnItsWay(status: WithdrawalStatus): status is OnItsWay {
  return status in WAITING;
}

/** The awaited step, then those that follow; the last carries the estimate. */
function stepsAhead({ expected, bankName, bankLast4 }: Withdrawal, status: OnItsWay): DatedStep[] {
  const destination = `${bankName} ••${bankLast4}`;
  const words = [WAITING[status], ...AHEAD[status]];
  return words.map((what, index): DatedStep => {
    const isArrival = index === words.length - 1;
    return {
      state: index === 0 ? 'now' : 'next',
      what,
      who: isArrival ? destination : undefined,
      ...(isArrival && expected !== null
        ? { time: formatDayRange(expected.from, expected.to), timeNote: 'expected' }
        : {}),
    };
  });
}
