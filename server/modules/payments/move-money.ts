import { receiptId } from '#contract/account-documents.ts';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { lockUser } from '#server/db/lock-user.ts';
import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { post } from '#server/modules/ledger/index.ts';
import { readMoneyRules } from '#server/modules/settings/index.ts';
import { lockForMove } from '#server/modules/wallets/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { checkFunds } from './check-funds.ts';

export type NewMove = RouteArguments<'moveMoney'>['body'];

/** A move that has been checked and is about to be posted. */
interface Move {
  /** The owner of both wallets. */
  userId: string;
  /** Both locked. */
  from: WalletRecord;
  to: WalletRecord;
  amountMinor: bigint;
  currency: Currency;
  at: Date;
  /** The payroll line after which a rule of its owner makes it. */
  payrollLineId?: string;
  /** The automatic move that the acting admin takes back. */
  takesBackId?: string;
}

/**
 * Moves money between two open wallets of the caller, posted immediately. The money stays theirs, so what keeps
 * money from leaving (identity, freeze, cooling-off) does not apply (docs/decisions/047). While payouts are
 * stopped because the books are not sound, nothing is moved either.
 *
 * @throws {AppError} `amount_invalid`, `same_wallet`, `payments_stopped`, `wallet_not_found`,
 *   `insufficient_funds`
 */
export async function moveMoney(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { fromWalletId, toWalletId, amount }: NewMove,
): Promise<RouteReply<'moveMoney'>> {
  const at = clock.now();
  const userId = by.actor.id;
  const { currency, payoutsStoppedAt } = await readMoneyRules(tx);
  const amountMinor = BigInt(amount.minor);
  if (amountMinor <= 0n || amount.currency !== currency) throw new AppError('amount_invalid');
  if (fromWalletId === toWalletId) throw new AppError('same_wallet');
  if (payoutsStoppedAt !== null) throw new AppError('payments_stopped');
  // The rows of the move refer to the person: after the wallets, that would wait for who closes one of them, and they for it.
  await lockUser(tx, userId);
  const { from, to } = await lockForMove(tx, { userId, fromId: fromWalletId, toId: toWalletId });
  const availableMinor = await checkFunds(tx, { from, amountMinor, currency });

  const move = { userId, from, to, amountMinor, currency, at };
  const { id, reference, transactionId } = await postMove(tx, by, move);
  return {
    id,
    reference,
    amount: money(amountMinor, currency),
    fromName: WALLET_LABELS[from.type],
    toName: WALLET_LABELS[to.type],
    movedAt: at.toISOString(),
    available: money(availableMinor - amountMinor, currency),
    documentId: receiptId(`${transactionId}.${from.type}`),
  };
}

/** Words of a move on the side that it leaves and on the side that receives it, and its event. */
function wordsOf({ payrollLineId, takesBackId }: Move) {
  if (payrollLineId !== undefined) {
    return { moved: 'Automatic transfer', event: 'wallet_move.automatic' } as const;
  }
  if (takesBackId !== undefined) {
    return { moved: 'Moved back', event: 'wallet_move.taken_back' } as const;
  }
  return { moved: 'Moved', event: 'wallet_move.made' } as const;
}

/**
 * Posts a move between two wallets of one person, writes its row and its audit record, and notifies its owner unless a
 * rule made it. What a wallet has available has been checked.
 *
 * @param by its owner; Purser, where a rule makes it; the admin who takes one back
 */
export async function postMove(
  tx: Tx,
  by: AuditContext,
  move: Move,
): Promise<{ id: string; reference: string; transactionId: string }> {
  const { userId, from, to, amountMinor, currency, at, payrollLineId, takesBackId } = move;
  const reference = await nextReference(tx, 'TXN');
  const id = newId(at.getTime());
  const actorId = typeof by.actor === 'object' ? by.actor.id : null;
  const { moved, event } = wordsOf(move);
  const posting = {
    kind: 'move',
    reference,
    description: `${moved} to ${WALLET_LABELS[to.type]}`,
    actorId,
    subjectId: id,
    // The description on the side that receives.
    metadata: { received: `${moved} from ${WALLET_LABELS[from.type]}` },
    entries: [
      { accountId: from.ledgerAccountId, amountMinor: -amountMinor },
      { accountId: to.ledgerAccountId, amountMinor },
    ],
  };
  const [posted] = await post(tx, [posting], { effectiveAt: at });
  const { id: transactionId } = invariant(posted, 'a batch of one posted nothing');
  const wallets = { fromWalletId: from.id, toWalletId: to.id };
  await tx
    .insertInto('walletMove')
    .values({
      id,
      reference,
      userId,
      ...wallets,
      amountMinor,
      currency,
      ledgerTransactionId: transactionId,
      movedAt: at,
      payrollLineId: payrollLineId ?? null,
      takesBackId: takesBackId ?? null,
      takenBackBy: takesBackId === undefined ? null : actorId,
    })
    .execute();
  record(tx, by, event, {
    id,
    personId: userId,
    at,
    details: {
      reference,
      currency,
      transactionId,
      ...wallets,
      amountMinor: String(amountMinor),
      ...(payrollLineId !== undefined && { payrollLineId }),
      ...(takesBackId !== undefined && { takesBackId }),
    },
    words: {
      amount: formatMoney(money(amountMinor, currency)),
      from: WALLET_LABELS[from.type],
      to: WALLET_LABELS[to.type],
      reference,
    },
  });
  return { id, reference, transactionId };
}
