import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { checkFunds, postMove } from '#server/modules/payments/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import { lockForMove } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { presentTarget, TARGET_COLUMNS } from './plan.ts';
import type { TargetRow } from './plan.ts';

interface FollowedRow extends TargetRow {
  id: string;
  amountMinor: bigint;
  currency: Currency;
  availableMinor: bigint | null;
  isTakenBack: boolean;
  /** True if the account that it left, or the one that it went to, is closed. */
  isClosed: boolean;
  reference: string | null;
  status: WithdrawalStatus | null;
}

/**
 * The transfers that followed a payroll line, in their order, with what is still in the wallets that they went to. A
 * reversal of the line undoes none of them. An administrator moves none of their own back.
 *
 * @throws {AppError} `payroll_line_not_found`
 */
export async function listLineTransfers(
  reader: Reader,
  lineId: string,
  actorId: string,
): Promise<RouteReply<'adminGetLineTransfers'>> {
  const line = await reader
    .selectFrom('payrollLine')
    .select('userId')
    .where('id', '=', lineId)
    .executeTakeFirst();
  if (line === undefined) throw new AppError('payroll_line_not_found');
  const { payoutsStoppedAt } = await readMoneyRules(reader);
  const refusal = refusalToMove({ isOwn: line.userId === actorId, payoutsStoppedAt });
  const { rows } = await sql<FollowedRow>`
    SELECT coalesce(move.id, withdrawal.id) AS id, made.amount_minor,
           coalesce(move.currency, withdrawal.currency) AS currency, ${TARGET_COLUMNS},
           account.posted - account.held AS available_minor, back.id IS NOT NULL AS is_taken_back,
           from_wallet.closed_at IS NOT NULL OR to_wallet.closed_at IS NOT NULL AS is_closed,
           withdrawal.reference, withdrawal.status
      FROM automatic_transfer AS made
      LEFT JOIN wallet_move AS move ON move.id = made.wallet_move_id
      LEFT JOIN wallet_move AS back ON back.takes_back_id = move.id
      LEFT JOIN wallet AS from_wallet ON from_wallet.id = move.from_wallet_id
      LEFT JOIN wallet AS to_wallet ON to_wallet.id = move.to_wallet_id
      LEFT JOIN ledger_account AS account ON account.id = to_wallet.ledger_account_id
      LEFT JOIN withdrawal ON withdrawal.id = made.withdrawal_id
      LEFT JOIN bank_account AS bank ON bank.id = withdrawal.bank_account_id
     WHERE made.line_id = ${lineId} AND made.amount_minor > 0
     ORDER BY made.position`.execute(reader);
  return {
    transfers: rows.map((row) => ({
      id: row.id,
      to: presentTarget(row),
      amount: money(row.amountMinor, row.currency),
      available: row.availableMinor === null ? null : money(row.availableMinor, row.currency),
      isTakenBack: row.isTakenBack,
      withdrawal:
        row.reference === null || row.status === null
          ? null
          : { reference: row.reference, status: row.status },
      refusal:
        (refusal ?? (row.isClosed ? new AppError('wallet_not_found') : null))?.message ?? null,
    })),
  };
}

/** Refusal of moving any transfer of an employee back; null where an administrator may. */
function refusalToMove({
  isOwn,
  payoutsStoppedAt,
}: {
  isOwn: boolean;
  payoutsStoppedAt: Date | null;
}): AppError | null {
  if (isOwn) return new AppError('own_request');
  return payoutsStoppedAt === null ? null : new AppError('payments_stopped');
}

/**
 * Moves an automatic transfer between two wallets of an employee back, as a whole, if the wallet that it went to still
 * has the money. The payroll can then be taken back from the wallet that it was paid into. Its owner is notified and
 * mailed.
 *
 * @throws {AppError} `automatic_transfer_not_found`, `own_request`, `payments_stopped`, `automatic_transfer_not_movable`,
 *   `wallet_not_found` where one of the wallets is closed, `insufficient_funds` with what is available
 */
export async function takeBackTransfer(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  id: string,
): Promise<void> {
  const made = await tx
    .selectFrom('walletMove')
    .select(['userId', 'fromWalletId', 'toWalletId', 'amountMinor', 'currency'])
    .where('id', '=', id)
    .where('payrollLineId', 'is not', null)
    .executeTakeFirst();
  if (made === undefined) throw await whyNotMovable(tx, id);
  const { userId, amountMinor } = made;
  checkNotOwn(by, userId);
  await lockUser(tx, userId);
  const { currency, payoutsStoppedAt } = await readMoneyRules(tx);
  const refusal = refusalToMove({ isOwn: false, payoutsStoppedAt });
  if (refusal !== null) throw refusal;
  const { from, to } = await lockForMove(tx, {
    userId,
    fromId: made.toWalletId,
    toId: made.fromWalletId,
  });
  const back = await tx
    .selectFrom('walletMove')
    .select('id')
    .where('takesBackId', '=', id)
    .executeTakeFirst();
  if (back !== undefined) throw new AppError('automatic_transfer_not_movable');
  await checkFunds(tx, { from, amountMinor, currency });
  const at = clock.now();
  await postMove(tx, by, { userId, from, to, amountMinor, currency, at, takesBackId: id });
}

/** A transfer to a bank account, or none. */
async function whyNotMovable(tx: Tx, id: string): Promise<AppError> {
  const sent = await tx
    .selectFrom('withdrawal')
    .select('id')
    .where('id', '=', id)
    .where('payrollLineId', 'is not', null)
    .executeTakeFirst();
  return new AppError(
    sent === undefined ? 'automatic_transfer_not_found' : 'automatic_transfer_not_movable',
  );
}
