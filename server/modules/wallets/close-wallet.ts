import { sql } from 'kysely';
import type { FurtherWalletType } from '#contract/wallets.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Closes an empty additional account of an employee. The salary wallet stays open, because payroll,
 * funding and payments of colleagues go there unless something else is chosen.
 *
 * Locks the person first, as a payroll that pays into their wallets does
 * (`payroll/claim-lines.ts`). So a line is either paid before, and the account is not empty, or
 * reports that the account is closed. Commands that promise or take money from the wallet lock the
 * wallet.
 *
 * @throws {AppError} `person_not_found`, `wallet_not_found` for one that is not open,
 *   `wallet_not_empty`, `wallet_in_use` while a deposit waits, a standing bill is paid from it, or
 *   a payroll is about to pay into it. One that was stopped or declined is not: its draft decides again who
 *   is paid
 */
export async function closeWallet(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { userId, type }: { userId: string; type: FurtherWalletType },
): Promise<void> {
  const person = await tx
    .selectFrom('appUser')
    .select('isEmployee')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (person === undefined || !person.isEmployee) throw new AppError('person_not_found');
  const wallet = await tx
    .selectFrom('wallet')
    .select('id')
    .where('userId', '=', userId)
    .where('type', '=', type)
    .where('closedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (wallet === undefined) throw new AppError('wallet_not_found');
  const refusal = (await refusalsToClose(tx, [wallet.id])).get(wallet.id);
  if (refusal !== undefined) throw refusal;
  const closedAt = clock.now();
  await tx.updateTable('wallet').set({ closedAt }).where('id', '=', wallet.id).execute();
  record(tx, by, 'wallet.closed', {
    id: wallet.id,
    personId: userId,
    at: closedAt,
    details: { type },
    words: { wallet: WALLET_LABELS[type] },
  });
}

/**
 * The refusals with which closing these accounts would be refused now, by their ids. One statement, so that a request
 * approved or paid concurrently is seen either as waiting or as money.
 */
export async function refusalsToClose(
  reader: Reader,
  walletIds: readonly string[],
): Promise<ReadonlyMap<string, AppError>> {
  if (walletIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; isEmpty: boolean; isUsed: boolean }>`
    SELECT wallet.id, account.posted = 0 AND account.held = 0 AS is_empty,
           EXISTS (SELECT FROM deposit WHERE wallet_id = wallet.id AND status = 'pending')
           OR EXISTS (SELECT FROM standing_bill AS bill
                       WHERE bill.user_id = wallet.user_id AND bill.wallet_id = wallet.id AND ended_at IS NULL)
           OR EXISTS (SELECT FROM payroll_line AS line
                        JOIN payroll_batch AS batch ON batch.id = line.batch_id
                       WHERE line.user_id = wallet.user_id AND line.wallet_id = wallet.id
                         AND line.status = 'draft'
                         AND batch.status IN ('pending', 'processing')) AS is_used
      FROM wallet JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
     WHERE wallet.id = ANY (${walletIds}::uuid[])`.execute(reader);
  return new Map(
    rows.flatMap(({ id, isEmpty, isUsed }) => {
      const code = !isEmpty ? 'wallet_not_empty' : isUsed ? 'wallet_in_use' : null;
      return code === null ? [] : [[id, new AppError(code)]];
    }),
  );
}
