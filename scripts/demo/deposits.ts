import type { DepositMethodId } from '#contract/deposits.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { walletOf } from './funds.ts';
import { anyAdmin, hoursAfter, named, someTimeIn } from './story.ts';
import { photographCheck } from './specimens.ts';
import type { DemoPerson, Story } from './story.ts';

/** The chance that a person deposits in a given month, in the year of history. */
const MONTHLY_CHANCE = 0.1;
const REJECTED_SHARE = 0.12;
const REJECTION = 'The payment did not arrive under this name.';

/** Amounts that people send by each method, in whole dollars. */
const USUAL: readonly [Usual, ...Usual[]] = [
  { method: 'ach', from: 100, to: 900 },
  { method: 'ach', from: 50, to: 400 },
  { method: 'physical_check', from: 60, to: 650 },
  { method: 'card', from: 20, to: 300 },
  { method: 'wire', from: 1_000, to: 4_000 },
];

interface Usual {
  method: DepositMethodId;
  from: number;
  to: number;
}

/** The deposits of the last days, as they stand. Amounts in cents. */
const RECENT: readonly {
  name: string;
  method: DepositMethodId;
  wallet: WalletType;
  amountMinor: bigint;
  hoursAgo: number;
  description?: string;
  outcome?: 'approve' | 'reject' | 'cancel';
}[] = [
  { name: 'Amara Diallo', method: 'ach', wallet: 'salary', amountMinor: 85_000n, hoursAgo: 1 },
  {
    name: 'João Figueiredo',
    method: 'mobile_check',
    wallet: 'salary',
    amountMinor: 127_500n,
    hoursAgo: 2.5,
    description: 'Insurance refund',
  },
  {
    name: 'Keiko Tanabe',
    method: 'wire',
    wallet: 'retirement',
    amountMinor: 500_000n,
    hoursAgo: 17,
    description: 'Moved from another plan',
  },
  {
    name: 'Marcus Whitfield',
    method: 'card',
    wallet: 'salary',
    amountMinor: 30_000n,
    hoursAgo: 24,
  },
  { name: 'Zahra Benali', method: 'ach', wallet: 'salary', amountMinor: 60_000n, hoursAgo: 38 },
  {
    name: 'Ruth Abramson',
    method: 'physical_check',
    wallet: 'salary',
    amountMinor: 41_250n,
    hoursAgo: 52,
  },
  {
    name: 'Maya Castellanos',
    method: 'card',
    wallet: 'salary',
    amountMinor: 5_000n,
    hoursAgo: 200,
    outcome: 'reject',
  },
  {
    name: 'Maya Castellanos',
    method: 'wire',
    wallet: 'salary',
    amountMinor: 150_000n,
    hoursAgo: 130,
    outcome: 'cancel',
  },
  {
    name: 'Maya Castellanos',
    method: 'ach',
    wallet: 'savings',
    amountMinor: 30_000n,
    hoursAgo: 90,
    outcome: 'approve',
  },
];

/** Plans what a person deposits now and then; the last two weeks are planned by `planRecentDeposits`. */
export function planDeposits(story: Story, person: DemoPerson, months: readonly Date[]): void {
  for (const month of months) {
    if (!story.random.chance(MONTHLY_CHANCE)) continue;
    const at = someTimeIn(story, month);
    const { method, from, to } = story.random.pick(USUAL);
    const amountMinor = BigInt(story.random.int(from, to)) * 100n;
    const outcome = story.random.chance(REJECTED_SHARE) ? 'reject' : 'approve';
    story.timeline.at(at, (tx) =>
      deposit(tx, story, person, { method, wallet: 'salary', amountMinor, at, outcome }),
    );
  }
}

export function planRecentDeposits(story: Story, people: readonly DemoPerson[]): void {
  for (const { name, hoursAgo, ...recent } of RECENT) {
    const at = hoursAfter(story.now, -hoursAgo);
    story.timeline.at(at, (tx) => deposit(tx, story, named(people, name), { ...recent, at }));
  }
}

/** Asks for a deposit, and plans its decision for the next hours; without an outcome it waits. */
async function deposit(
  tx: Tx,
  story: Story,
  person: DemoPerson,
  planned: {
    method: DepositMethodId;
    wallet: WalletType;
    amountMinor: bigint;
    at: Date;
    description?: string;
    outcome?: 'approve' | 'reject' | 'cancel';
  },
): Promise<void> {
  const { services, timeline, random } = story;
  const { method, description, outcome } = planned;
  const wallet = await walletOf(tx, person, planned.wallet);
  const { id } = await requestDeposit(tx, services, person.by, {
    walletId: wallet.id,
    method,
    amount: money(planned.amountMinor, 'USD'),
    ...(description === undefined ? {} : { description }),
  });
  if (method === 'mobile_check') await photographCheck(tx, story, person, id);
  if (outcome === undefined) return;
  if (outcome === 'cancel') {
    await depositActs.cancel(tx, services, person.by, { id });
    return;
  }
  const admin = anyAdmin(story);
  timeline.at(hoursAfter(planned.at, random.int(2, 26)), async (later) => {
    if (outcome === 'reject') {
      await depositActs.reject(later, services, admin, { id, reason: REJECTION });
    } else {
      await depositActs.approve(later, services, admin, { id });
    }
  });
}
