import type { AdminBankAccount } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { decideBankAccount } from './decide-bank-account.ts';
import { bankLabel } from './present.ts';

/**
 * Verifies a pending bank account: its owner can withdraw to it. Their first becomes the primary.
 *
 * @throws {AppError} `bank_account_not_found`, `own_request`, `bank_account_not_pending`
 */
export function verifyBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  id: string,
): Promise<AdminBankAccount> {
  return decideBankAccount(tx, services, by, {
    id,
    decision: {
      action: 'verify',
      status: 'verified',
      rejectionReason: null,
      kind: 'bank-account-verified',
      message: (account) => `You can now withdraw to ${bankLabel(account)}.`,
    },
  });
}
