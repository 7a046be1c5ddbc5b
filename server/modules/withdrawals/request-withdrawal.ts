import type { Insertable } from 'kysely';
import type { RouteArguments, Withdrawal } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { fixedStatement } from '#server/db/fixed-statement.ts';
import { nextReference } from '#server/db/references.ts';
import type { DB } from '#server/db/schema.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { awaitInOrder } from '#server/lib/await-in-order.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { bankLabel, claimUse } from '#server/modules/bank-accounts/index.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { notify, notifyAdmins } from '#server/modules/notifications/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import type { MoneyRules } from '#server/modules/settings/index.ts';
import { holdFunds, lockWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { publishChange } from './record-decision.ts';
import { asRequested, presentWithdrawal } from './present.ts';

export type NewWithdrawal = RouteArguments<'requestWithdrawal'>['body'];

/**
 * Asks for money of one's wallet at one's verified bank account. The amount is held at once, so it
 * is gone from what is available; it is posted when the payout is completed. Refuses in the order
 * in which the form is filled. What can be asked at once is, so a refused request has also claimed
 * and numbered what is rolled back with it.
 *
 * @throws {AppError} `amount_invalid`, `wallet_not_found`, `bank_account_not_verified`,
 *   `identity_not_approved`, `insufficient_funds` (names what is available)
 */
export async function requestWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  input: NewWithdrawal,
): Promise<Withdrawal> {
  const now = clock.now();
  const userId = by.actor.id;
  const { walletId, bankAccountId } = input;
  const [settings, wallet, bank, isApproved, reference] = await awaitInOrder([
    settingsFor(tx, input.amount),
    lockWallet(tx, { walletId, userId }),
    claimUse(tx, { bankAccountId, userId }),
    isIdentityApproved(tx, userId),
    nextReference(tx, 'WD'),
  ]);
  if (settings.requireApprovedIdentity && !isApproved) throw new AppError('identity_not_approved');

  const { currency } = settings;
  const amountMinor = BigInt(input.amount.minor);
  const withdrawal = {
    id: newId(now.getTime()),
    reference,
    walletId,
    bankAccountId,
    bankName: bank.bankName,
    bankLast4: bank.last4,
    amountMinor,
    currency,
    urgency: input.urgency,
    reason: input.reason,
    requestedAt: now,
  };
  const holdId = newId();
  await awaitInOrder([
    holdFunds(tx, wallet, { id: holdId, amountMinor, currency, reference }),
    insertWithdrawal(tx, { ...withdrawal, userId, holdId, updatedAt: now }),
  ]);

  recordAudit(tx, {
    by,
    action: 'withdrawal.requested',
    subjectType: 'withdrawal',
    subjectId: withdrawal.id,
    personId: userId,
    details: {
      reference,
      amountMinor: String(amountMinor),
      currency,
      walletId,
      holdId,
      bankAccountId,
      accountHash: bank.accountHash,
      last4: bank.last4,
      urgency: input.urgency,
      at: now.toISOString(),
    },
  });
  const amount = formatMoney(money(amountMinor, currency));
  notify(tx, userId, {
    kind: 'withdrawal-submitted',
    message: `${amount} to ${bankLabel(bank)} is waiting for approval.`,
    relatedId: withdrawal.id,
    at: now,
  });
  notifyAdmins(tx, {
    kind: 'withdrawal-to-approve',
    message: `${by.actor.name} asks for ${amount} (${input.urgency} urgency).`,
    relatedId: withdrawal.id,
    at: now,
  });
  publishChange(tx, userId);
  return presentWithdrawal(
    asRequested(withdrawal, { wallet, employeeName: by.actor.name }),
    settings,
  );
}

const insertWithdrawal = fixedStatement((reader, row: Insertable<DB['withdrawal']>) =>
  reader.insertInto('withdrawal').values({
    id: row.id,
    reference: row.reference,
    userId: row.userId,
    walletId: row.walletId,
    bankAccountId: row.bankAccountId,
    bankName: row.bankName,
    bankLast4: row.bankLast4,
    amountMinor: row.amountMinor,
    currency: row.currency,
    urgency: row.urgency,
    reason: row.reason,
    holdId: row.holdId,
    requestedAt: row.requestedAt,
    updatedAt: row.updatedAt,
  }),
);

/** @throws {AppError} `amount_invalid`, also in another currency than the company's */
async function settingsFor(tx: Tx, amount: NewWithdrawal['amount']): Promise<MoneyRules> {
  const settings = await readMoneyRules(tx);
  if (BigInt(amount.minor) <= 0n || amount.currency !== settings.currency) {
    throw new AppError('amount_invalid');
  }
  return settings;
}
