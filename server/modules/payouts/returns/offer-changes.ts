import type { RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { refusalsToCorrect } from '#server/modules/bank-accounts/index.ts';
import type { Services } from '#server/services.ts';
import { findItemsById } from './judge.ts';

type Returns = RouteReply<'adminGetReturns'>;

/** Adds to each change of bank details that waits the sentence with which accepting it would be refused now. */
export async function offerChanges(
  reader: Reader,
  services: Services,
  by: CommandContext,
  returns: Returns,
): Promise<Returns> {
  const itemIds = returns.entries.flatMap(({ status, payment }) =>
    status === 'proposed' && payment !== null ? [payment.itemId] : [],
  );
  if (itemIds.length === 0) return returns;
  const items = await findItemsById(reader, itemIds);
  const asked = returns.entries.flatMap(({ id, status, payment }) => {
    const item = status === 'proposed' && payment !== null ? items.get(payment.itemId) : undefined;
    if (item === undefined || item.bank === null) return [];
    return [{ id: item.bank.id, requestedAt: item.requestedAt, entryId: id }];
  });
  const refusals = await refusalsToCorrect(reader, services, by, asked);
  const isAsked = new Set(asked.map(({ entryId }) => entryId));
  return {
    ...returns,
    entries: returns.entries.map((entry) => {
      if (entry.status !== 'proposed' || entry.change === null) return entry;
      const refusal = isAsked.has(entry.id)
        ? refusals.get(entry.id)
        : new AppError('change_outdated');
      return { ...entry, change: { ...entry.change, refusal: refusal?.message ?? null } };
    }),
  };
}
