import { firstView } from '#contract/list.ts';
import { historyList } from '#contract/lists.ts';
import type { HistoryItem } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { ownHistory } from './own-history.ts';
import { presentEvent } from './present.ts';
import { readOwnRows } from './rows.ts';
import type { HistoryScope } from './scope.ts';

/** Newest events of a person's history, newest first. */
export async function recentHistory(
  reader: Reader,
  scope: HistoryScope,
  limit: number,
): Promise<HistoryItem[]> {
  const query = { ...firstView(historyList), pageSize: limit };
  return (await ownHistory.page(reader, query, scope)).items;
}

/** @throws {AppError} `transaction_not_found` for an event that is not in the person's history */
export async function getHistoryEvent(
  reader: Reader,
  scope: HistoryScope,
  id: string,
): Promise<HistoryItem> {
  const [row] = await readOwnRows(reader, [id], scope);
  if (row === undefined) throw new AppError('transaction_not_found');
  return presentEvent(row);
}
