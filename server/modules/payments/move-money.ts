import { receiptId } from '#contract/account-documents.ts';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
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
  id: string;
  reference: string;
  userId: string;
  from: WalletRecord;
  to: WalletRecord;
  amountMinor: bigint;
  currency: Currency;
  at: Date;
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
  const { from, to } = await lockForMove(tx, { userId, fromId: fromWalletId, toId: toWalletId });
  const availableMinor = await checkFunds(tx, { from, amountMinor, currency });

  const reference = await nextReference(tx, 'TXN');
  const id = newId(at.getTime());
  const transactionId = await postMove(tx, by, {
    ...{ id, reference, userId, from, to, amountMinor, currency, at },
  });
  return {
    ...{ id, reference },
    amount: money(amountMinor, currency),
    fromName: WALLET_LABELS[from.type],
    toName: WALLET_LABELS[to.type],
    movedAt: at.toISOString(),
    available: money(availableMinor - amountMinor, currency),
    documentId: receiptId(`${transactionId}.${from.type}`),
  };
}

/** Posts the move, writes its row and audit record, and answers the id of the posting. */
async function postMove(tx: Tx, by: CommandContext, move: Move): Promise<string> {
  const { id, reference, userId, from, to, amountMinor, currency, at } = move;
  const posting = {
    kind: 'move',
    reference,
    description: `Moved to ${WALLET_LABELS[to.type]}`,
    actorId: userId,
    subjectId: id,
    // The description on the side that receives.
    metadata: { received: `Moved from ${WALLET_LABELS[from.type]}` },
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
      ...{ id, reference, userId, ...wallets, amountMinor, currency },
      ledgerTransactionId: transactionId,
      movedAt: at,
    })
    .execute();
  record(tx, by, 'wallet_move.made', {
    ...{ id, personId: userId, at },
    details: {
      ...{ reference, currency, transactionId, ...wallets },
      amountMinor: String(amountMinor),
    },
    words: {
      amount: formatMoney(money(amountMinor, currency)),
      ...{ from: WALLET_LABELS[from.type], to: WALLET_LABELS[to.type], reference },
    },
  });
  return transactionId;
}
