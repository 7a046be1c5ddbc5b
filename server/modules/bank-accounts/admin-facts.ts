import { bankAccountCan } from '#contract/bank-accounts.ts';
import { can } from '#contract/can.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Vault } from '#server/vault/vault.ts';
import { checkPending } from './check-pending.ts';
import { readMayVerify } from './may-verify.ts';
import type { AdminFacts } from './present.ts';
import type { BankAccountRow } from './rows.ts';

/** Reads, for the admin `actorId`, facts of these accounts that their rows do not have. */
export async function readAdminFacts(
  reader: Reader,
  vault: Vault,
  actorId: string,
  rows: readonly BankAccountRow[],
): Promise<(row: BankAccountRow) => AdminFacts> {
  const checks = await checkPending(reader, vault, rows);
  const pending = rows.filter(({ status }) => can(bankAccountCan, 'verify', status));
  const mayVerify = await readMayVerify(reader, actorId, pending);
  return (row) => ({
    check: checks.get(row.id) ?? null,
    mayVerify: can(bankAccountCan, 'verify', row.status) && mayVerify(row),
  });
}
