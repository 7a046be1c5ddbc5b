import { money } from '#contract/money.ts';
import { DEFAULT_WITHDRAWAL_REASON } from '#contract/withdrawals.ts';
import type { Urgency, WithdrawalStatus } from '#contract/withdrawals.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { withdrawalActs, requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { verifyAgain } from './banks.ts';
import { DEMO_SIGN_INS } from './company.ts';
import { walletOf } from './funds.ts';
import { anyAdmin, hoursAfter, someTimeIn } from './story.ts';
import type { DemoPerson, Story } from './story.ts';

/** The chance that a person withdraws in a given month, in the year of history. */
const MONTHLY_CHANCE = 0.2;
/** For whoever can sign in, so that their history has something to show. */
const SIGN_IN_CHANCE = 0.9;
/** Amount that everybody keeps in the wallet, in cents. */
const CUSHION_MINOR = 650_000n;
/**
 * The least that is worth withdrawing, the most that anybody requests in one withdrawal, and round sums.
 */
const LEAST_MINOR = 20_000n;
const MOST_MINOR = 620_000n;
const ROUND_MINOR = 2_500n;

const REASONS = [
  DEFAULT_WITHDRAWAL_REASON,
  DEFAULT_WITHDRAWAL_REASON,
  DEFAULT_WITHDRAWAL_REASON,
  'Rent',
  'Car repair',
  'School fees',
  'Travel home',
  'Medical bill',
  'Moving house',
] as const;

const WHY_REJECTED = 'Please confirm the destination account with Finance first.';
const WHY_STOPPED = 'The destination bank asked us to wait. Please request it again next week.';
const WHY_RETURNED = 'R03: no account under this number at the receiving bank.';

/** End of a withdrawal: a status, or stopped on its way. */
export type Ending = WithdrawalStatus | 'stopped';

/** Plans what a person withdraws now and then, all of it settled long ago. */
export function planWithdrawals(story: Story, person: DemoPerson, months: readonly Date[]): void {
  const canSignIn = DEMO_SIGN_INS.some(({ email }) => email === person.email);
  for (const month of months) {
    if (!story.random.chance(canSignIn ? SIGN_IN_CHANCE : MONTHLY_CHANCE)) continue;
    const at = someTimeIn(story, month);
    const share = BigInt(story.random.int(55, 100));
    const request: Omit<PlannedWithdrawal, 'amountMinor'> = {
      at,
      urgency: story.random.pick(['low', 'medium', 'medium', 'high']),
      reason: story.random.pick(REASONS),
      // Whoever can sign in keeps the account that they withdraw to.
      ending: keepsAccount(drawEnding(story), canSignIn),
    };
    story.timeline.at(at, async (tx) => {
      const { available } = await walletOf(tx, person, 'salary');
      const amountMinor = wishedMinor(BigInt(available.minor), share);
      if (person.bankAccountId === null || amountMinor < LEAST_MINOR) return;
      await withdraw(tx, story, person, { ...request, amountMinor });
    });
  }
}

/** `share` percent of what can be spared, as a round sum. */
function wishedMinor(availableMinor: bigint, share: bigint): bigint {
  const spare = availableMinor - CUSHION_MINOR;
  const wished = ((spare < MOST_MINOR ? spare : MOST_MINOR) * share) / 100n;
  return wished - (wished % ROUND_MINOR);
}

function drawEnding({ random }: Story): Ending {
  if (random.chance(0.82)) return 'completed';
  return random.pick(random.chance(0.7) ? ['rejected', 'cancelled'] : ['stopped', 'returned']);
}

export interface PlannedWithdrawal {
  at: Date;
  amountMinor: bigint;
  urgency: Urgency;
  reason: string;
  ending: Ending;
  /** Hours from one step to the next; about a day when left out. */
  paceHours?: number;
}

/** Asks for a withdrawal, and plans each of its steps until it stands where it ends. */
export async function withdraw(
  tx: Tx,
  story: Story,
  person: DemoPerson,
  planned: PlannedWithdrawal,
): Promise<void> {
  const { services, timeline, random } = story;
  const { id } = await requestWithdrawal(tx, services, person.by, {
    walletId: (await walletOf(tx, person, 'salary')).id,
    bankAccountId: invariant(
      person.bankAccountId,
      `${person.by.actor.name} has no verified bank account`,
    ),
    amount: money(planned.amountMinor, 'USD'),
    urgency: planned.urgency,
    reason: planned.reason,
  });
  let at = planned.at;
  for (const step of stepsTo(story, person, id, planned)) {
    at = hoursAfter(at, planned.paceHours ?? random.int(5, 28));
    timeline.at(at, async (later) => {
      await step(later);
    });
  }
}

function keepsAccount(ending: Ending, canSignIn: boolean): Ending {
  return canSignIn && ending === 'returned' ? 'stopped' : ending;
}

type Step = (tx: Tx) => Promise<unknown>;

/** Steps that bring a pending withdrawal to that end. */
function stepsTo(
  story: Story,
  { by, bankAccountId }: DemoPerson,
  id: string,
  { ending, paceHours }: PlannedWithdrawal,
): Step[] {
  const { services } = story;
  const admin = anyAdmin(story);
  const approve: Step = (tx) => withdrawalActs.approve(tx, services, admin, { id });
  const start: Step = (tx) => withdrawalActs.startProcessing(tx, services, anyAdmin(story), { id });
  const complete: Step = (tx) => withdrawalActs.complete(tx, services, anyAdmin(story), { id });
  switch (ending) {
    case 'pending':
      return [];
    case 'approved':
      return [approve];
    case 'processing':
      return [approve, start];
    case 'completed':
      return [approve, start, complete];
    case 'rejected':
      return [(tx) => withdrawalActs.reject(tx, services, admin, { id, reason: WHY_REJECTED })];
    case 'cancelled':
      return [(tx) => withdrawalActs.cancel(tx, services, by, { id })];
    case 'stopped':
      return [
        approve,
        (tx) => withdrawalActs.stop(tx, services, admin, { id, reason: WHY_STOPPED }),
      ];
    case 'returned':
      return [
        approve,
        start,
        complete,
        async (tx) => {
          await withdrawalActs.return(tx, services, admin, { id, reason: WHY_RETURNED });
          // One of those that ended recently waits for its owner to confirm the account.
          if (bankAccountId !== null && paceHours === undefined) {
            await verifyAgain(tx, services, { owner: by, admin, bankAccountId });
          }
        },
      ];
  }
}
