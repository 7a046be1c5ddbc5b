import type { AdminWithdrawal } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { bankLabel } from '#server/modules/bank-accounts/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { LockedWithdrawal } from './lock-withdrawal.ts';
import { loadAdminWithdrawal } from './queries.ts';

interface Outcome {
  at: Date;
  /** The audit's word for it: `withdrawal.approved`. */
  action: `withdrawal.${string}`;
  /** The ledger transaction that the decision posted, if it moved money. */
  transactionId?: string;
  /** What the employee is notified of. */
  kind: PersonalKind;
  message: string;
}

/** The end that all decisions share: audit, notify the employee, refresh screens, present. */
export async function recordDecision(
  tx: Tx,
  by: CommandContext,
  withdrawal: LockedWithdrawal,
  outcome: Outcome,
): Promise<AdminWithdrawal> {
  recordAudit(tx, {
    by,
    action: outcome.action,
    subjectType: 'withdrawal',
    subjectId: withdrawal.id,
    personId: withdrawal.userId,
    details: {
      reference: withdrawal.reference,
      from: withdrawal.status,
      at: outcome.at.toISOString(),
      ...(outcome.transactionId !== undefined && { transactionId: outcome.transactionId }),
    },
  });
  notify(tx, withdrawal.userId, {
    kind: outcome.kind,
    message: outcome.message,
    relatedId: withdrawal.id,
    at: outcome.at,
  });
  publishChange(tx, withdrawal.userId);
  return loadAdminWithdrawal(tx, withdrawal.id);
}

/** The owner's withdrawals and balances, and the admins' list, are to be read again. */
export function publishChange(tx: Tx, userId: string): void {
  publish(
    tx,
    { topic: 'withdrawals', userId },
    { topic: 'wallets', userId },
    { topic: 'withdrawals', userId: null },
  );
}

/** `Cascade Federal Credit Union ••2208` */
export function destination(withdrawal: Pick<LockedWithdrawal, 'bankName' | 'bankLast4'>): string {
  return bankLabel({ bankName: withdrawal.bankName, last4: withdrawal.bankLast4 });
}

/** `$400.00 to Cascade Federal Credit Union ••2208` */
export function amountAndDestination(withdrawal: LockedWithdrawal): string {
  const amount = formatMoney(money(withdrawal.amountMinor, withdrawal.currency));
  return `${amount} to ${destination(withdrawal)}`;
}
