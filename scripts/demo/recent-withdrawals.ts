import { DEFAULT_WITHDRAWAL_REASON } from '#contract/withdrawals.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { hoursAfter, named } from './story.ts';
import type { DemoPerson, Story } from './story.ts';
import { withdraw } from './withdrawals.ts';
import type { Ending } from './withdrawals.ts';

interface Recent {
  name: string;
  amountMinor: bigint;
  hoursAgo: number;
  urgency: Urgency;
  reason?: string;
  ending: Ending;
  /** Hours between its steps. */
  paceHours?: number;
}

/**
 * The last two weeks, so that every queue has something in it. Amounts in cents. What is on its way
 * is young enough to be expected still.
 */
const RECENT: readonly Recent[] = [
  pending('Grace Achieng', 62_000n, 1.5, 'high', 'Medical bill'),
  pending('Wesley Tran', 148_000n, 1.2, 'high', 'Car repair'),
  pending('Anil Deshpande', 215_000n, 22, 'medium', 'Tuition, spring term'),
  pending('Siobhán Doyle', 64_000n, 19.5, 'medium'),
  pending('Maya Castellanos', 25_000n, 17, 'low'),
  pending('Luis Ángel Prieto', 37_550n, 92, 'low', 'Travel home'),
  pending('Keiko Tanabe', 90_000n, 90, 'low'),
  {
    name: 'Maya Castellanos',
    amountMinor: 40_000n,
    hoursAgo: 27,
    paceHours: 4,
    urgency: 'medium',
    reason: 'Rent top-up',
    ending: 'approved',
  },
  {
    name: 'Tyrell Jackson',
    amountMinor: 320_000n,
    hoursAgo: 26,
    paceHours: 3,
    urgency: 'high',
    reason: 'House deposit',
    ending: 'approved',
  },
  {
    name: 'Hannah Greenbaum',
    amountMinor: 110_000n,
    hoursAgo: 50,
    paceHours: 12,
    urgency: 'medium',
    ending: 'processing',
  },
  {
    name: 'Mei-Ling Chou',
    amountMinor: 56_000n,
    hoursAgo: 74,
    paceHours: 20,
    urgency: 'low',
    ending: 'processing',
  },
  {
    name: 'Daniel Kowalczyk',
    amountMinor: 84_525n,
    hoursAgo: 167,
    paceHours: 24,
    urgency: 'medium',
    ending: 'completed',
  },
  {
    name: 'Zoë Van der Berg',
    amountMinor: 130_000n,
    hoursAgo: 185,
    paceHours: 30,
    urgency: 'low',
    ending: 'completed',
  },
  {
    name: 'Marcus Whitfield',
    amountMinor: 540_000n,
    hoursAgo: 192,
    paceHours: 20,
    urgency: 'high',
    ending: 'rejected',
  },
  {
    name: 'Rosa Delgado',
    amountMinor: 22_000n,
    hoursAgo: 231,
    paceHours: 3,
    urgency: 'low',
    ending: 'cancelled',
  },
  {
    name: 'Diego Fuentes',
    amountMinor: 75_000n,
    hoursAgo: 260,
    paceHours: 24,
    urgency: 'medium',
    ending: 'stopped',
  },
  {
    name: 'Eleanor Whitcombe',
    amountMinor: 98_000n,
    hoursAgo: 300,
    paceHours: 30,
    urgency: 'medium',
    ending: 'returned',
  },
  {
    name: 'Maya Castellanos',
    amountMinor: 48_000n,
    hoursAgo: 408,
    paceHours: 22,
    urgency: 'medium',
    ending: 'completed',
  },
  {
    name: 'Maya Castellanos',
    amountMinor: 120_000n,
    hoursAgo: 470,
    paceHours: 18,
    urgency: 'high',
    ending: 'completed',
  },
  {
    name: 'Maya Castellanos',
    amountMinor: 295_000n,
    hoursAgo: 530,
    paceHours: 9,
    urgency: 'medium',
    reason: 'Car',
    ending: 'rejected',
  },
];

function pending(
  name: string,
  amountMinor: bigint,
  hoursAgo: number,
  urgency: Urgency,
  reason = DEFAULT_WITHDRAWAL_REASON,
): Recent {
  return { name, amountMinor, hoursAgo, urgency, reason, ending: 'pending' };
}

/** Plans the withdrawals that are still open, and those that ended recently. */
export function planRecentWithdrawals(story: Story, people: readonly DemoPerson[]): void {
  for (const { name, hoursAgo, reason = DEFAULT_WITHDRAWAL_REASON, ...recent } of RECENT) {
    const at = hoursAfter(story.now, -hoursAgo);
    story.timeline.at(at, (tx) =>
      withdraw(tx, story, named(people, name), { ...recent, reason, at }),
    );
  }
}
