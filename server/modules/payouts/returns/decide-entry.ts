import type { ChangeCode, ReturnCode } from '#contract/ach-codes.ts';
import type { RouteReply } from '#contract/api.ts';
import type { ReturnEntryStatus } from '#contract/returns.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { correctBankAccount } from '#server/modules/bank-accounts/index.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { correctedPlace } from './keep-entries.ts';
import { correctedDetails } from './corrected.ts';
import { giveBack } from './give-back.ts';
import { canComeBack, findItem } from './judge.ts';
import { lockReturned } from './lock-returned.ts';

type Done = RouteReply<'adminSetReturnAside'>;
type Entry = Awaited<ReturnType<typeof lockEntry>>;

/**
 * Books an unknown return to the payment that an administrator found, which has its amount.
 *
 * @throws {AppError} `return_entry_not_found`, `return_entry_decided`, `return_item_differs`, `own_request`,
 *   `second_person_needed`
 */
export async function bookReturnTo(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, itemId }: { id: string; itemId: string },
): Promise<Done> {
  const entry = await lockEntry(tx, id, 'unknown');
  await lockReturned(tx, [itemId]);
  const item = await findItem(tx, itemId);
  const isReturn = entry.kind === 'return';
  if (item === null || !isReturn || !canComeBack(item, entry.amountMinor)) {
    throw new AppError('return_item_differs');
  }
  // The column has what the reader of the file took for a code.
  const code = entry.code as ReturnCode;
  const reversals = await giveBack(tx, services, by, [{ item, code, entryId: id }]);
  const transactionId = reversals.get(id);
  const posting = typeof transactionId === 'string' && { transactionId };
  await move(tx, services, by, { entry, to: 'booked', event: 'found', itemId, ...posting });
  return { ok: true };
}

/** Decides on an entry without a further effect. @throws {AppError} `return_entry_not_found`, `return_entry_decided` */
const decideAlone =
  (from: ReturnEntryStatus, to: 'not_ours' | 'declined') =>
  async (tx: Tx, services: Services, by: CommandContext, id: string): Promise<Done> => {
    await move(tx, services, by, { entry: await lockEntry(tx, id, from), to, event: to });
    return { ok: true };
  };

/** Sets an unknown entry aside. */
export const setReturnAside = decideAlone('unknown', 'not_ours');

/** Keeps a bank account as it is. */
export const declineChange = decideAlone('proposed', 'declined');

/**
 * Updates a bank account as its bank asked. It counts as a changed account.
 *
 * @throws {AppError} `return_entry_not_found`, `return_entry_decided`, `data_destroyed`, and as `correctBankAccount`
 */
export async function acceptChange(
  tx: Tx,
  services: Services,
  by: CommandContext,
  id: string,
): Promise<Done> {
  const entry = await lockEntry(tx, id, 'proposed');
  const item = await findItem(tx, invariant(entry.itemId, `change ${id} is of no payment`));
  const bank = item?.bank;
  if (item === null || bank === null || bank === undefined) throw new AppError('change_outdated');
  const sealed = invariant(entry.correctedEncrypted, `change ${id} has no data`);
  const corrected = await services.vault.open(tx, bank.userId, correctedPlace(id), sealed);
  const details = correctedDetails(entry.code as ChangeCode, corrected.toString('utf8'));
  await correctBankAccount(tx, services, by, {
    id: bank.id,
    details: invariant(details, `change ${id} has other data than were proposed`),
    requestedAt: item.requestedAt,
    entryId: id,
  });
  await move(tx, services, by, { entry, to: 'accepted', event: 'accepted' });
  return { ok: true };
}

async function lockEntry(tx: Tx, id: string, status: ReturnEntryStatus) {
  const entry = await tx
    .selectFrom('returnEntry')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (entry === undefined) throw new AppError('return_entry_not_found');
  if (entry.status !== status) throw new AppError('return_entry_decided');
  return entry;
}

interface Move {
  entry: Entry;
  to: ReturnEntryStatus;
  event: 'found' | 'not_ours' | 'accepted' | 'declined';
  itemId?: string;
  transactionId?: string;
}

async function move(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { entry: { id, code, originalTrace }, to, event, ...set }: Move,
): Promise<void> {
  const at = clock.now();
  await tx
    .updateTable('returnEntry')
    .set({ status: to, ...set, movedAt: at, movedBy: by.actor.id })
    .where('id', '=', id)
    .execute();
  record(tx, by, `return_entry.${event}`, {
    id,
    at,
    details: { code, trace: originalTrace, ...set },
  });
}
