import type { AdminBankAccount } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { decideBankAccount } from './decide-bank-account.ts';
import { bankLabel } from './present.ts';

/**
 * Rejects a pending bank account, with a reason for its owner, who may correct it.
 *
 * @throws {AppError} `bank_account_not_found`, `own_request`, `bank_account_not_pending`
 */
export function rejectBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<AdminBankAccount> {
  return decideBankAccount(tx, services, by, {
    id,
    decision: {
      action: 'reject',
      status: 'rejected',
      rejectionReason: reason,
      kind: 'bank-account-rejected',
      message: (account) => `${bankLabel(account)} was not verified. Reason: ${reason}`,
    },
  });
}
