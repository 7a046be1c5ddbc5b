import type { AdminBankAccount } from '#contract/api.ts';
import { bankAccountCan } from '#contract/bank-accounts.ts';
import type { BankAccountAction } from '#contract/bank-accounts.ts';
import { can } from '#contract/can.ts';
import type { PersonalKind } from '#contract/notification-kinds.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { checkPending } from './check-pending.ts';
import { lockBankAccount } from './lock-bank-account.ts';
import { presentAdminBankAccount, presentBankAccount } from './present.ts';
import type { BankAccountRow } from './rows.ts';
import { loadBankAccount } from './queries.ts';
import { ensurePrimary } from './primary.ts';

export interface Decision {
  action: Extract<BankAccountAction, 'verify' | 'reject'>;
  status: 'verified' | 'rejected';
  rejectionReason: string | null;
  /** What its owner is notified of. */
  kind: PersonalKind;
  message(account: BankAccountRow): string;
}

/**
 * What verifying and rejecting have in common: lock, check, change, audit, notify, publish.
 *
 * @throws {AppError} `bank_account_not_found`, `own_request`, `bank_account_not_pending`
 */
export async function decideBankAccount(
  tx: Tx,
  { clock, vault }: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  { id, decision }: { id: string; decision: Decision },
): Promise<AdminBankAccount> {
  const account = await lockBankAccount(tx, id);
  checkNotOwn(by, account.userId);
  if (!can(bankAccountCan, decision.action, presentBankAccount(account).status)) {
    throw new AppError('bank_account_not_pending');
  }
  const at = clock.now();
  const check = (await checkPending(tx, vault, [account])).get(id);
  await tx
    .updateTable('bankAccount')
    .set({
      status: decision.status,
      rejectionReason: decision.rejectionReason,
      decidedBy: by.actor.id,
      decidedAt: at,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
  await ensurePrimary(tx, account.userId);
  recordAudit(tx, {
    by,
    action: `bank_account.${decision.status}`,
    subjectType: 'bank_account',
    subjectId: id,
    personId: account.userId,
    // What the admin was shown, who may have verified a name that differs.
    details: {
      last4: account.last4,
      at: at.toISOString(),
      ...(check !== undefined && {
        nameMatch: check.nameMatch,
        isNameVerified: check.isNameVerified,
        alsoOf: check.alsoOf.map((person) => person.id),
      }),
    },
  });
  notify(tx, account.userId, {
    kind: decision.kind,
    message: decision.message(account),
    relatedId: id,
    at,
  });
  publish(
    tx,
    { topic: 'bank-accounts', userId: account.userId },
    { topic: 'bank-accounts', userId: null },
  );
  return presentAdminBankAccount(await loadBankAccount(tx, id), null);
}
