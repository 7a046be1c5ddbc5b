import { sql } from 'kysely';
import type { RouteArguments } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { refusing } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { itemsById } from './items.ts';
import { amountWords, findLine, isOwnKind, presentLines } from './lines.ts';
import type { BankLine, LineRow } from './lines.ts';
import { fileIds, insertMatches, lockItems, partWords } from './match-certain.ts';
import { settleFiles } from './settle-files.ts';

type Order = RouteArguments<'adminMatchBankLine'>['body'] & { id: string };

/**
 * Matches a line with items whose amounts add up to its own. A payout file is settled by it once lines have all of the file.
 * Approving a deposit or completing a payout by hand is another act.
 *
 * @throws {AppError} `bank_line_not_found`, `bank_line_matched`, `bank_items_sum`, `bank_item_not_found`,
 *   `bank_item_taken` where an item has less left, `bank_rule_not_found`, `month_closed` for a line of a closed month
 */
export async function matchLine(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  { id, items, ruleId, isSuggestion }: Order,
): Promise<BankLine> {
  await lockItems(tx);
  const line = await lockLine(tx, id);
  if (line.matchedAt !== null) throw new AppError('bank_line_matched');
  const parts = items.map(({ kind, itemId, minor }) => ({
    kind,
    itemId,
    amountMinor: BigInt(minor),
  }));
  const sum = parts.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  if (sum !== line.amountMinor) {
    const words = {
      sum: amountWords(sum, line.currency),
      amount: amountWords(line.amountMinor, line.currency),
    };
    throw new AppError('bank_items_sum', words);
  }
  await checkItems(tx, line, parts);
  if (ruleId !== null) await takeRule(tx, ruleId);
  const at = clock.now();
  const reason = ruleId !== null ? 'rule' : isSuggestion ? 'suggestion' : 'hand';
  const matched = { matchedAt: at, matchedBy: by.actor.id, matchReason: reason } as const;
  await refusing(tx.updateTable('bankLine').set(matched).where('id', '=', id).execute());
  await insertMatches(
    tx,
    parts.map((part) => ({ ...part, lineId: id })),
    at,
  );
  record(tx, by, 'bank_line.matched', {
    id,
    at,
    details: { reason, ruleId: ruleId ?? 'none', items: partWords(parts) },
  });
  await settleFiles(tx, { clock }, fileIds(parts));
  return present(tx, id);
}

/**
 * Takes the match of a line back. Its rows stay, with the time, and the trail has both. A payout file that it settled stays
 * settled, because its payments were completed and their owners notified. It is on its way again until another line has it.
 *
 * @throws {AppError} `bank_line_not_found`, `bank_line_unmatched`, `month_closed`
 */
export async function unmatchLine(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<BankLine> {
  await lockItems(tx);
  const line = await lockLine(tx, id);
  if (line.matchedAt === null) throw new AppError('bank_line_unmatched');
  const at = clock.now();
  const undone = await tx
    .updateTable('bankMatch')
    .set({ undoneAt: at })
    .where('lineId', '=', id)
    .where('undoneAt', 'is', null)
    .returning(['kind', 'itemId', 'amountMinor'])
    .execute();
  const unmatched = { matchedAt: null, matchedBy: null, matchReason: null };
  await refusing(tx.updateTable('bankLine').set(unmatched).where('id', '=', id).execute());
  const details = { reason: line.matchReason ?? 'none', items: partWords(undone) };
  record(tx, by, 'bank_line.unmatched', { id, at, details });
  return present(tx, id);
}

type Part = Pick<Order['items'][number], 'kind' | 'itemId'> & { amountMinor: bigint };

async function lockLine(tx: Tx, id: string): Promise<LineRow> {
  await sql`SELECT FROM bank_line WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return findLine(tx, id);
}

async function present(tx: Tx, id: string): Promise<BankLine> {
  const [shown] = await presentLines(tx, [await findLine(tx, id)]);
  if (shown === undefined) throw new AppError('bank_line_not_found');
  return shown;
}

/** @throws {AppError} `bank_item_not_found`, also for one of another currency; `bank_item_taken` */
async function checkItems(tx: Tx, { currency }: LineRow, parts: readonly Part[]): Promise<void> {
  const { timeZone } = await readSettings(tx);
  const found = await itemsById(tx, { timeZone, currency }, parts);
  const left = new Map(found.map((item) => [`${item.kind} ${item.id}`, item.openMinor]));
  for (const { kind, itemId, amountMinor } of parts) {
    if (isOwnKind(kind)) {
      if (itemId !== null) throw new AppError('bank_item_not_found');
      continue;
    }
    const key = `${kind} ${itemId}`;
    const open = left.get(key);
    if (open === undefined) throw new AppError('bank_item_not_found');
    const rest = open - amountMinor;
    // An item is matched in its own direction, and never past its amount.
    if (amountMinor > 0n !== open > 0n || (rest !== 0n && rest > 0n !== open > 0n)) {
      const name = found.find((item) => item.id === itemId)?.name ?? '';
      throw new AppError('bank_item_taken', { name, left: amountWords(open, currency) });
    }
    left.set(key, rest);
  }
}

async function takeRule(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql`
    UPDATE bank_rule SET taken_count = taken_count + 1
     WHERE id = ${id} AND removed_at IS NULL RETURNING id`.execute(tx);
  if (rows.length === 0) throw new AppError('bank_rule_not_found');
}
