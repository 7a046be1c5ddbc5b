import { AUTOMATIC_WITHDRAWAL_REASON } from '#contract/automatic-transfers.ts';
import { DEFAULT_URGENCY } from '#contract/withdrawals.ts';
import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { claimUse } from '#server/modules/bank-accounts/index.ts';
import { postMove } from '#server/modules/payments/index.ts';
import type { MoneyRules } from '#server/modules/settings/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import { approveAutomatic, placeWithdrawal } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import type { PlanRule, TransferPlan } from './plan.ts';

/** The payment after which the rules run. */
export interface PaidLine {
  id: string;
  /** Amount left of it after reversals and instalments of recoveries, in minor units. */
  paidMinor: bigint;
  isGone: boolean;
}

/** A run about to be made. */
export interface Run {
  line: PaidLine;
  plan: TransferPlan;
  settings: MoneyRules;
  wallets: ReadonlyMap<string, WalletRecord>;
  source: WalletRecord;
  at: Date;
}

/** The move or the withdrawal that a rule made; neither where it transferred nothing. */
export interface Made {
  walletMoveId: string | null;
  withdrawalId: string | null;
}

const BY = { actor: 'system' } as const;

/**
 * Moves an amount to another wallet of the person, or requests its withdrawal to their bank account, approved where the
 * company has it pass. The destination was found usable, and what is available was allotted.
 */
export async function makeTransfer(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  { line, plan: { userId }, settings: { currency }, wallets, source, at }: Run,
  { rule: { target }, amountMinor }: { rule: PlanRule; amountMinor: bigint },
): Promise<Made> {
  if (amountMinor === 0n) return { walletMoveId: null, withdrawalId: null };
  const payrollLineId = line.id;
  if (target.kind === 'wallet') {
    const to = invariant(wallets.get(target.id), `the open wallet ${target.id}`);
    const move = { userId, from: source, to, amountMinor, currency, at, payrollLineId };
    return { walletMoveId: (await postMove(tx, BY, move)).id, withdrawalId: null };
  }
  const bank = await claimUse(tx, { bankAccountId: target.id, userId });
  const withdrawal = await placeWithdrawal(tx, BY, {
    userId,
    requestedBy: null,
    leaver: null,
    payrollLineId,
    reference: await nextReference(tx, 'WD'),
    wallet: source,
    bank: { ...bank, id: target.id },
    amountMinor,
    currency,
    now: at,
    urgency: DEFAULT_URGENCY,
    reason: AUTOMATIC_WITHDRAWAL_REASON,
  });
  await approveAutomatic(tx, services, { id: withdrawal.id, userId, amountMinor });
  return { walletMoveId: null, withdrawalId: withdrawal.id };
}
