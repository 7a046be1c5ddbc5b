import type { AdminBill } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import { getAdminBill } from './bill-queries.ts';
import type { LockedBill } from './lock-bill.ts';

interface Outcome {
  at: Date;
  /** The audit's word for it: `bill.sent`. */
  action: `bill.${string}`;
  /** The ledger transaction that it posted, if it moved money. */
  transactionId?: string;
  /** The bill that takes its place. */
  replacedBy?: string;
  /** What the employee is notified of; left out: of nothing. */
  notice?: { kind: PersonalKind; message: string };
}

/** The end that all steps of a bill share: audit, notify the employee, refresh screens. */
export function recordBill(tx: Tx, by: AuditContext, bill: LockedBill, outcome: Outcome): void {
  const { at, transactionId, replacedBy, notice } = outcome;
  recordAudit(tx, {
    by,
    action: outcome.action,
    subjectType: 'bill',
    subjectId: bill.id,
    personId: bill.userId,
    details: {
      reference: bill.reference,
      from: bill.status,
      at: at.toISOString(),
      ...(transactionId !== undefined && { transactionId }),
      ...(replacedBy !== undefined && { replacedBy }),
    },
  });
  if (notice !== undefined) {
    notify(tx, bill.userId, { ...notice, relatedId: bill.id, at });
  }
  publishBill(tx, bill.userId);
}

/** {@link recordBill} of an admin's decision, and the bill as admins then see it. */
export function recordDecision(
  tx: Tx,
  by: AuditContext,
  bill: LockedBill,
  outcome: Outcome,
): Promise<AdminBill> {
  recordBill(tx, by, bill, outcome);
  return getAdminBill(tx, bill.id);
}

/** The owner's bills and balances, and the admins' list, are to be read again. */
export function publishBill(tx: Tx, userId: string): void {
  publish(
    tx,
    { topic: 'payments', userId },
    { topic: 'wallets', userId },
    { topic: 'payments', userId: null },
  );
}

/** `$70.00 to Harbor Fiber ••5502` */
export function amountAndPayee({
  amountMinor,
  currency,
  payeeName,
  payeeLast4,
}: Pick<LockedBill, 'amountMinor' | 'currency' | 'payeeName' | 'payeeLast4'>): string {
  return `${formatMoney(money(amountMinor, currency))} to ${payeeName} ••${payeeLast4}`;
}
