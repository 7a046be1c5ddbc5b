import { sql } from 'kysely';
import { formatMoney, money } from '#contract/money.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import { payOutHeld, requireMayLeave, takeBackPayout } from '#server/modules/acts/index.ts';
import type { Doing, Effect, Kept } from '#server/modules/acts/index.ts';
import { bankLabel, markReturned, releaseUse } from '#server/modules/bank-accounts/index.ts';
import { releaseHold } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { requireSecondPerson } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { requireApprover, requireCompleter } from './separate-duties.ts';

type Clocked = Pick<Services, 'clock'>;
type Step = Doing<LockedWithdrawal, Clocked>;

/** Account of the employees' banks: the sum paid out to them. */
const PAYOUT_CLEARING = 'payout_clearing';

/** Work of the server at each act of a withdrawal; the acts themselves are declared in the contract. */
export const withdrawals: Kept<typeof withdrawal, LockedWithdrawal, Clocked> = {
  thing: withdrawal,
  table: 'withdrawal',
  async lock(tx, id, act) {
    // Before the request, as everywhere: a return may change which of the person's bank accounts is the primary one.
    if (act === 'return') await lockOwner(tx, id);
    return lockWithdrawal(tx, id);
  },
  facts: ({ reference }) => ({ reference }),
  words: wordsOf,
  stamp: {
    approve: ({ at, by }) => ({ approvedAt: at, approvedBy: by }),
    startProcessing: ({ at, by }) => ({ processingAt: at, processingBy: by }),
    complete: ({ at, by }) => ({ completedAt: at, completedBy: by }),
    cancel: ({ at, by }) => ({ closedAt: at, closedBy: by }),
    reject: ({ at, by }) => ({ closedAt: at, closedBy: by }),
    stop: ({ at, by }) => ({ closedAt: at, closedBy: by }),
    return: ({ at, by }) => ({ closedAt: at, closedBy: by }),
  },
  guards: {
    async approve({ tx, by, row, at }) {
      // Approving is possible while the bank account cools off; sending is not.
      const { frozenAt } = await readDestination(tx, row);
      requireMayLeave(await readSettings(tx), { frozenAt, changedAt: null, now: at });
      await requireApprover(tx, personOf(by), row);
    },
    async startProcessing({ tx, row, at }) {
      const { frozenAt, changedAt, status } = await readDestination(tx, row);
      const returned = status === 'verified' ? null : 'payout_account_returned';
      requireMayLeave(await readSettings(tx), { frozenAt, returned, changedAt, now: at });
    },
    // Also while payouts are stopped, because the bank has sent this one.
    complete: ({ tx, by, row }) => requireCompleter(tx, personOf(by), row),
    return: ({ tx, by, row: { amountMinor, userId, approvedBy, completedBy } }) =>
      requireSecondPerson(tx, personOf(by), 'return', {
        amountMinor,
        notBy: userId,
        doneBy: [approvedBy, completedBy],
      }),
  },
  effects: {
    cancel: release,
    reject: release,
    stop: release,
    complete: payOut,
    return: takeBack,
  },
  followedBy: {
    return: ({ tx, by, row, at }) =>
      markReturned(tx, personOf(by), { ...row, withdrawalId: row.id, at }),
  },
};

/** Words of the notifications of a withdrawal. */
export function wordsOf({
  amountMinor,
  currency,
  bankName,
  bankLast4: last4,
}: Pick<LockedWithdrawal, 'amountMinor' | 'currency' | 'bankName' | 'bankLast4'>) {
  return {
    amount: formatMoney(money(amountMinor, currency)),
    destination: bankLabel({ bankName, last4 }),
    bank: bankName,
  };
}

/** Columns of the withdrawal that an act needs. */
export type LockedWithdrawal = NonNullable<Awaited<ReturnType<typeof lockWithdrawal>>>;

function lockWithdrawal(tx: Tx, id: string) {
  return tx
    .selectFrom('withdrawal')
    .innerJoin('wallet', 'wallet.id', 'withdrawal.walletId')
    .select(['withdrawal.id', 'withdrawal.reference', 'withdrawal.userId', 'withdrawal.status'])
    .select(['withdrawal.bankAccountId', 'withdrawal.bankName', 'withdrawal.bankLast4'])
    .select(['withdrawal.amountMinor', 'withdrawal.currency', 'withdrawal.holdId'])
    .select(['withdrawal.ledgerTransactionId', 'withdrawal.requestedAt', 'withdrawal.walletId'])
    .select(['withdrawal.requestedBy', 'withdrawal.approvedAt', 'withdrawal.approvedBy'])
    .select(['withdrawal.completedBy', 'wallet.ledgerAccountId as walletAccountId'])
    .where('withdrawal.id', '=', id)
    .forNoKeyUpdate('withdrawal')
    .executeTakeFirst();
}

async function lockOwner(tx: Tx, id: string): Promise<void> {
  const owner = await tx
    .selectFrom('withdrawal')
    .select('userId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (owner !== undefined) await lockUser(tx, owner.userId);
}

/** Times of its owner's freeze and of the last change of bank account or password, and the account's status. */
function readDestination(tx: Tx, { bankAccountId }: LockedWithdrawal) {
  return tx
    .selectFrom('bankAccount')
    .innerJoin('appUser as owner', 'owner.id', 'bankAccount.userId')
    .select([
      'owner.payoutsFrozenAt as frozenAt',
      'bankAccount.status',
      sql<Date>`greatest(bank_account.submitted_at, owner.password_reset_at)`.as('changedAt'),
    ])
    .where('bankAccount.id', '=', bankAccountId)
    .executeTakeFirstOrThrow();
}

/** Ends a withdrawal that was never paid out: the money is available again, and the bank account is free. */
async function release({ tx, row }: Step): Promise<void> {
  await releaseUse(tx, row.bankAccountId);
  await releaseHold(tx, row.holdId);
}

/** Posts the payout, which no longer uses the bank account. */
async function payOut(step: Step): Promise<Effect> {
  const { tx, row } = step;
  await releaseUse(tx, row.bankAccountId);
  return payOutHeld(step, {
    kind: 'withdrawal',
    clearing: PAYOUT_CLEARING,
    description: `Withdrawal to ${destination(row)}`,
    since: row.approvedAt,
  });
}

function takeBack(step: Step): Promise<Effect> {
  return takeBackPayout(step, `Returned by ${destination(step.row)}`);
}

function destination({ bankName, bankLast4: last4 }: LockedWithdrawal): string {
  return bankLabel({ bankName, last4 });
}
