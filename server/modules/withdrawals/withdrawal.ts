import { sql } from 'kysely';
import { marksAccount } from '#contract/ach-codes.ts';
import type { BankAccountStatus } from '#contract/bank-accounts.ts';
import { formatMoney, money } from '#contract/money.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import {
  inPayoutFile,
  isChangeOpen,
  isReturnDisputed,
  momentOf,
  otherAttempts,
  payOutHeld,
  readActs,
  refusalInFile,
  refusalOfDispute,
  refusalToLeave,
  sendHeldInFile,
  settleSent,
  takeBackPayout,
  takeBackPayouts,
} from '#server/modules/acts/index.ts';
import type {
  Doing,
  DoingMany,
  Effect,
  Kept,
  KeptRow,
  Question,
} from '#server/modules/acts/index.ts';
import { bankLabel, markReturned, releaseUses } from '#server/modules/bank-accounts/index.ts';
import { releaseHold } from '#server/modules/ledger/index.ts';
import { payableFrom } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;
type Step = Doing<LockedWithdrawal, Clocked>;

const PAYOUT = {
  kind: 'withdrawal',
  // Account of the employees' banks: the sum paid out to them.
  clearing: 'payout_clearing',
  description: (row: LockedWithdrawal) => `Withdrawal to ${destination(row)}`,
};

/** Work of the server at each act of a withdrawal; the acts themselves are declared in the contract. */
export const withdrawals: Kept<typeof withdrawal, LockedWithdrawal, Clocked, Destination, Legal> = {
  thing: withdrawal,
  table: 'withdrawal',
  async lock(tx, id, act) {
    // Before the request, as everywhere: a return may change which of the person's bank accounts is the primary one.
    if (act === 'return') await lockOwner(tx, id);
    return (await lockWithdrawals(tx, [id]))[0];
  },
  lockAll: lockWithdrawals,
  facts: ({ reference }) => ({ reference }),
  words: wordsOf,
  guardFacts: {
    joins: sql`JOIN app_user AS payee ON payee.id = request.user_id
               JOIN bank_account AS bank ON bank.id = request.bank_account_id`,
    columns: {
      frozenAt: sql`payee.payouts_frozen_at`,
      payableFrom: payableFrom('bank.submitted_at', 'payee.password_reset_at'),
      bankStatus: sql`bank.status`,
      inFile: inPayoutFile('withdrawal_id', 'request.id'),
      isDisputed: isReturnDisputed('withdrawal', 'request'),
      isChangeOpen: isChangeOpen('request.bank_account_id'),
      isIdentityApproved: isReturnedOfApproved('request'),
    },
  },
  guards: {
    // Approving is possible while the bank account cools off; sending is not. Who approves is another person than who
    // verified the account, so it is verified before.
    approve: ({ known: { frozenAt, isDisputed, bankStatus }, settings, now }) =>
      refusalToLeave(settings, {
        frozenAt,
        payableFrom: null,
        returned: bankStatus === 'verified' ? null : 'payout_account_returned',
        now,
      }) ?? refusalOfDispute(isDisputed),
    resend: ({ known: { isDisputed, isIdentityApproved, frozenAt }, settings }) => {
      if (isDisputed) return refusalOfDispute(isDisputed);
      if (settings.requireApprovedIdentity && !isIdentityApproved) {
        return new AppError('identity_not_approved');
      }
      return frozenAt === null ? null : new AppError('own_payouts_frozen');
    },
    startProcessing: refusalToSend,
    // A change of bank details holds it after its approval, as one by hand.
    approveAutomatic: (question) =>
      refusalToSend({ ...question, known: { ...question.known, isChangeOpen: false } }),
    stop: ({ known: { inFile } }) => refusalInFile(inFile),
    // Completing has no other, nor has sending a file: also while payouts are stopped, because the bank has this one.
    complete: ({ known: { inFile } }) => refusalInFile(inFile, 'payout_sent_in_file'),
  },
  // Money that was sent in a file is no longer held: it comes back as a return.
  isLegal: {
    resend: ({ resentAs }) => resentAs === null,
    stop: ({ ledgerTransactionId }) => ledgerTransactionId === null,
    returnByFile: ({ ledgerTransactionId }) => ledgerTransactionId !== null,
  },
  effects: {
    cancel: release,
    reject: release,
    stop: release,
    complete: payOut,
    return: (step) => takeBackPayout(step, returnedBy),
  },
  effectsOfMany: {
    sendInFile: (doing) => sendHeldInFile(doing, PAYOUT),
    settle: settleMany,
    settleByLine: settleMany,
    async returnByFile(doing) {
      const sent = doing.rows.filter(({ status }) => status === 'processing');
      await releaseUses(
        doing.tx,
        sent.map(({ bankAccountId }) => bankAccountId),
      );
      return takeBackPayouts(doing, returnedBy);
    },
  },
  followedBy: {
    return: ({ tx, by, row, at }) => markReturned(tx, personOf(by), { payouts: [row], at }),
  },
  followedByMany: {
    returnByFile({ tx, by, rows, at, inputOf }) {
      const payouts = rows.filter((row) => {
        const { returnCode } = inputOf(row);
        return returnCode === undefined || marksAccount(returnCode);
      });
      return markReturned(tx, personOf(by), { payouts, at });
    },
  },
};

function refusalToSend({ known, settings, now }: Question<Destination>): AppError | null {
  const { bankStatus, inFile, isDisputed, frozenAt, payableFrom: from } = known;
  const changed = known.isChangeOpen ? 'payout_change_open' : null;
  return (
    refusalInFile(inFile) ??
    refusalOfDispute(isDisputed) ??
    refusalToLeave(settings, {
      frozenAt,
      payableFrom: from,
      returned: bankStatus === 'verified' ? changed : 'payout_account_returned',
      now,
    })
  );
}

/** Facts of the owner and the bank account by which money may leave. */
interface Destination {
  /** Time of the owner's freeze. */
  frozenAt: Date | null;
  /** Time from which money can leave after a change of the bank account or a reset of the owner's password. */
  payableFrom: Date | null;
  bankStatus: BankAccountStatus;
  /** Number of the payout file that it is in and that is not settled. */
  inFile: number | null;
  /** True while another bank has rejected its return, or that of the one that it sends again. */
  isDisputed: boolean;
  /** True while its bank asks for other details of the account. */
  isChangeOpen: boolean;
  /** True if it came back and the identity of its owner is approved. */
  isIdentityApproved: boolean;
}

/** SQL of true for a withdrawal that came back to a person whose identity is approved. */
export function isReturnedOfApproved(row: string) {
  return sql.raw<boolean>(`(${row}.status = 'returned' AND EXISTS (
    SELECT FROM kyc_application WHERE user_id = ${row}.user_id AND status = 'approved'))`);
}

/** Columns by which acts are legal besides the status. */
type Legal = KeptRow & Pick<LockedWithdrawal, 'ledgerTransactionId' | 'resentAs'>;

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
export type LockedWithdrawal = Awaited<ReturnType<typeof lockWithdrawals>>[number];

function lockWithdrawals(tx: Tx, ids: readonly string[]) {
  return tx
    .selectFrom('withdrawal')
    .innerJoin('wallet', 'wallet.id', 'withdrawal.walletId')
    .select(['withdrawal.id', 'withdrawal.reference', 'withdrawal.userId', 'withdrawal.status'])
    .select(['withdrawal.bankAccountId', 'withdrawal.bankName', 'withdrawal.bankLast4'])
    .select(['withdrawal.amountMinor', 'withdrawal.currency', 'withdrawal.holdId'])
    .select(['withdrawal.ledgerTransactionId', 'withdrawal.requestedAt', 'withdrawal.walletId'])
    .select(['withdrawal.transactionReference', 'withdrawal.settlementId'])
    .select('wallet.ledgerAccountId as walletAccountId')
    .select(otherAttempts('withdrawal'))
    .where(sql<boolean>`withdrawal.id = ANY (${ids}::uuid[])`)
    .orderBy('withdrawal.id')
    .forNoKeyUpdate('withdrawal')
    .execute();
}

async function lockOwner(tx: Tx, id: string): Promise<void> {
  const owner = await tx
    .selectFrom('withdrawal')
    .select('userId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (owner !== undefined) await lockUser(tx, owner.userId);
}

/** Ends a withdrawal that was never paid out: the money is available again, and the bank account is free. */
async function release({ tx, row }: Step): Promise<void> {
  await releaseUses(tx, [row.bankAccountId]);
  await releaseHold(tx, row.holdId);
}

/** Posts the payout, which no longer uses the bank account. */
async function payOut(step: Step): Promise<Effect> {
  const { tx, row } = step;
  await releaseUses(tx, [row.bankAccountId]);
  return payOutHeld(step, {
    ...PAYOUT,
    since: momentOf(withdrawal, 'approve')({ done: await readActs(tx, withdrawal, row.id) }),
  });
}

/** Clears payouts in transit, which no longer use their bank accounts. */
async function settleMany(doing: DoingMany<LockedWithdrawal, Clocked>): Promise<readonly Effect[]> {
  await releaseUses(
    doing.tx,
    doing.rows.map(({ bankAccountId }) => bankAccountId),
  );
  return settleSent(doing, PAYOUT);
}

function returnedBy(row: LockedWithdrawal): string {
  return `Returned by ${destination(row)}`;
}

function destination({ bankName, bankLast4: last4 }: LockedWithdrawal): string {
  return bankLabel({ bankName, last4 });
}
