import type { RouteArguments, Withdrawal } from '#contract/api.ts';
import type { Currency } from '#contract/money.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { nextReference } from '#server/db/references.ts';
import { awaitInOrder } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { withItsActs } from '#server/modules/acts/index.ts';
import type { Attempt } from '#server/modules/acts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { claimUse } from '#server/modules/bank-accounts/index.ts';
import type { ClaimedBankAccount } from '#server/modules/bank-accounts/index.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { countInNewBrowser } from '#server/modules/security/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import type { MoneyRules } from '#server/modules/settings/index.ts';
import { holdFunds, lockWallet } from '#server/modules/wallets/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { asRequested, presentWithdrawal } from './present.ts';
import { withdrawals, wordsOf } from './withdrawal.ts';

export type NewWithdrawal = RouteArguments<'requestWithdrawal'>['body'];

/**
 * Requests a withdrawal from the caller's wallet to one of their verified bank accounts. The amount is
 * held immediately, so it is gone from what is available; it is posted when the payout is completed.
 * Refuses in the order in which the form is filled. Statements that do not depend on each other travel together, so a
 * refused request has also claimed and numbered what is rolled back with it.
 *
 * @throws {AppError} `amount_invalid`, `wallet_not_found`, `bank_account_not_verified`,
 *   `identity_not_approved`, `own_payouts_frozen`, `insufficient_funds` (names what is available),
 *   `new_browser_limit`
 */
export async function requestWithdrawal(
  tx: Tx,
  services: Services,
  by: CommandContext,
  input: NewWithdrawal,
  again?: Again,
): Promise<Withdrawal> {
  const now = services.clock.now();
  const userId = by.actor.id;
  const { walletId, bankAccountId } = input;
  const [settings, wallet, bank, isApproved, isFrozen, reference] = await awaitInOrder([
    settingsFor(tx, input.amount),
    lockWallet(tx, { walletId, userId }),
    claimUse(tx, { bankAccountId, userId }),
    isIdentityApproved(tx, userId),
    arePayoutsFrozen(tx, userId),
    again === undefined ? nextReference(tx, 'WD') : Promise.resolve(again.reference),
  ]);
  if (settings.requireApprovedIdentity && !isApproved) throw new AppError('identity_not_approved');
  if (isFrozen) throw new AppError('own_payouts_frozen');

  const { currency } = settings;
  const amountMinor = BigInt(input.amount.minor);
  const withdrawal = await placeWithdrawal(tx, by, {
    ...again,
    reference,
    userId,
    requestedBy: null,
    wallet,
    bank: { ...bank, id: bankAccountId },
    amountMinor,
    currency,
    urgency: input.urgency,
    reason: input.reason,
    now,
    leaver: null,
  });
  await countInNewBrowser(tx, by, { settings, amountMinor, at: now });
  const row = asRequested(withdrawal, { wallet, employeeName: by.actor.name });
  const who = { actor: by.actor, as: 'owner' } as const;
  return presentWithdrawal(await withItsActs(tx, services, withdrawals, who, row), settings);
}

/** A withdrawal that sends another one again. */
interface Again extends Attempt {
  /** The one that the bank sent back. */
  readonly resends: Attempt;
}

/** True if no money of a person may leave until an admin has looked. */
async function arePayoutsFrozen(tx: Tx, userId: string): Promise<boolean> {
  const { payoutsFrozenAt } = await tx
    .selectFrom('appUser')
    .select('payoutsFrozenAt')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return payoutsFrozenAt !== null;
}

interface Placed {
  /** Left out: a new one. */
  id?: string;
  reference: string;
  /** The one that it sends again, which the bank sent back. */
  resends?: Attempt;
  userId: string;
  /** The admin who requests it for a person who left; null for the owner. */
  requestedBy: string | null;
  /** The name of the person who left; null where the owner requests it. */
  leaver: string | null;
  /** The payroll line after which a rule of its owner requests it. */
  payrollLineId?: string;
  /** Locked. */
  wallet: WalletRecord;
  /** Claimed. */
  bank: ClaimedBankAccount & { id: string };
  amountMinor: bigint;
  currency: Currency;
  urgency: Urgency;
  reason: string;
  now: Date;
}

/**
 * Holds the amount of a withdrawal, writes it, and writes down that it was requested.
 *
 * @throws {AppError} `insufficient_funds`
 */
export async function placeWithdrawal(
  tx: Tx,
  by: AuditContext,
  { userId, requestedBy, leaver, wallet, bank, now, payrollLineId, resends, ...asked }: Placed,
) {
  const { reference, amountMinor, currency } = asked;
  const withdrawal = {
    ...asked,
    id: asked.id ?? newId(now.getTime()),
    walletId: wallet.id,
    bankAccountId: bank.id,
    bankName: bank.bankName,
    bankLast4: bank.last4,
    requestedAt: now,
  };
  const holdId = newId();
  await awaitInOrder([
    holdFunds(tx, wallet, { id: holdId, amountMinor, currency, reference }),
    tx
      .insertInto('withdrawal')
      .values({
        ...withdrawal,
        userId,
        requestedBy,
        holdId,
        updatedAt: now,
        payrollLineId: payrollLineId ?? null,
        resendsId: resends?.id ?? null,
      })
      .execute(),
  ]);
  const byPerson = leaver === null ? 'request' : 'requestForLeaver';
  const byItself = payrollLineId === undefined ? byPerson : 'requestAutomatic';
  const act = resends === undefined ? byItself : 'requestAgain';
  journal(tx, by, withdrawals.thing, act, {
    id: withdrawal.id,
    userId,
    at: now,
    details: {
      reference,
      amountMinor: String(amountMinor),
      currency,
      walletId: wallet.id,
      holdId,
      bankAccountId: bank.id,
      accountHash: bank.accountHash,
      last4: bank.last4,
      urgency: asked.urgency,
      ...(payrollLineId !== undefined && { payrollLineId }),
      ...(resends !== undefined && { resendsId: resends.id }),
    },
    words: {
      ...wordsOf(withdrawal),
      urgency: asked.urgency,
      leaver,
      reference,
      resends: resends?.reference ?? null,
    },
  });
  return { ...withdrawal, resends: resends ?? null };
}

/** @throws {AppError} `amount_invalid`, also in another currency than the company's */
async function settingsFor(tx: Tx, amount: NewWithdrawal['amount']): Promise<MoneyRules> {
  const settings = await readMoneyRules(tx);
  if (BigInt(amount.minor) <= 0n || amount.currency !== settings.currency) {
    throw new AppError('amount_invalid');
  }
  return settings;
}
