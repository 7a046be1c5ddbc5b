import type { RouteArguments, Withdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { bankLabel, claimUse } from '#server/modules/bank-accounts/index.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { notify, notifyAdmins } from '#server/modules/notifications/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { holdFunds, lockWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { publishChange } from './conclude.ts';
import { presentWithdrawal } from './present.ts';
import { loadRow } from './queries.ts';

export type NewWithdrawal = RouteArguments<'requestWithdrawal'>['body'];

/**
 * Asks for money of one's wallet at one's verified bank account. The amount is held at once, so it
 * is gone from what is available; it is posted when the payout is completed. Refuses in the order
 * in which the form is filled (spec, section 5).
 *
 * @throws {AppError} `amount_invalid`, `wallet_not_found`, `bank_account_not_verified`,
 *   `identity_not_approved`, `insufficient_funds` (names what is available)
 */
export async function requestWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: By,
  input: NewWithdrawal,
): Promise<Withdrawal> {
  const now = clock.now();
  const userId = by.actor.id;
  const settings = await readSettings(tx);
  const { currency } = settings;
  const amountMinor = BigInt(input.amount.minor);
  if (amountMinor <= 0n || input.amount.currency !== currency) throw new AppError('amount_invalid');

  const wallet = await lockWallet(tx, { walletId: input.walletId, userId });
  const bank = await claimUse(tx, { bankAccountId: input.bankAccountId, userId });
  if (settings.requireApprovedIdentity && !(await isIdentityApproved(tx, userId))) {
    throw new AppError('identity_not_approved');
  }
  const id = newId(now.getTime());
  const reference = await nextReference(tx, 'WD');
  const holdId = await holdFunds(tx, wallet, { amountMinor, currency, reference });
  await tx
    .insertInto('withdrawal')
    .values({
      id,
      reference,
      userId,
      walletId: wallet.id,
      bankAccountId: input.bankAccountId,
      bankName: bank.bankName,
      bankLast4: bank.last4,
      amountMinor,
      currency,
      urgency: input.urgency,
      reason: input.reason,
      holdId,
      requestedAt: now,
      updatedAt: now,
    })
    .execute();

  await recordAudit(tx, {
    by,
    action: 'withdrawal.requested',
    subjectType: 'withdrawal',
    subjectId: id,
    personId: userId,
    details: { reference, amountMinor: String(amountMinor), currency },
  });
  const amount = formatMoney(amountMinor, currency);
  await notify(tx, userId, {
    type: 'withdrawal',
    title: 'Withdrawal Submitted',
    message: `${amount} to ${bankLabel(bank)} is waiting for approval.`,
    relatedId: id,
    at: now,
  });
  await notifyAdmins(tx, {
    type: 'withdrawal',
    title: 'Withdrawal to approve',
    message: `${by.actor.name} asks for ${amount} (${input.urgency} urgency).`,
    relatedId: id,
    at: now,
  });
  await publishChange(tx, userId);
  return presentWithdrawal(await loadRow(tx, id), settings);
}
