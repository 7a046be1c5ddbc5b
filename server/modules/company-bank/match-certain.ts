import { sql } from 'kysely';
import type { BankItemKind } from '#contract/company-bank.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { itemsByReference } from './items.ts';
import { loadLines, partsOf } from './lines.ts';
import { settleFiles } from './settle-files.ts';
import { asLines, certainItems, referencesIn } from './match-lines.ts';

/**
 * Matches the lines of a new statement that agree with an item by reference and amount. Takes the lock
 * of items, so that lines of other accounts are matched before it or after it.
 *
 * @returns how many were matched
 */
export async function matchCertain(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  { statementId, currency, at }: { statementId: string; currency: Currency; at: Date },
): Promise<number> {
  await lockItems(tx);
  const lines = await loadLines(
    tx,
    sql`line.statement_id = ${statementId} AND line.matched_at IS NULL`,
  );
  const { timeZone } = await readSettings(tx);
  const parts = await partsOf(
    tx,
    lines.map(({ id }) => id),
  );
  const named = [...lines, ...asLines(lines, parts)].flatMap(referencesIn);
  const items = await itemsByReference(tx, { timeZone, currency }, [...new Set(named)]);
  const matches = [...certainItems(lines, parts, items)].map(([lineId, found]) => ({
    lineId,
    parts: found.map(({ kind, id, openMinor }) => ({
      lineId,
      kind,
      itemId: id,
      amountMinor: openMinor,
    })),
  }));
  if (matches.length === 0) return 0;
  await sql`UPDATE bank_line SET matched_at = ${at}, matched_by = NULL, match_reason = 'reference'
             WHERE id = ANY (${matches.map(({ lineId }) => lineId)}::uuid[])`.execute(tx);
  const all = matches.flatMap((match) => match.parts);
  await insertMatches(tx, all, at);
  for (const { lineId, parts: matched } of matches) {
    record(tx, { actor: 'system' }, 'bank_line.matched', {
      id: lineId,
      at,
      details: { reason: 'reference', items: partWords(matched) },
    });
  }
  await settleFiles(tx, services, fileIds(all));
  return matches.length;
}

/** Takes the lock under which items are matched: what is open of one depends on all matches. Few people match. */
export async function lockItems(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(7067300500)`.execute(tx);
}

/** A part of an item that a line has. */
interface MatchedPart {
  lineId: string;
  kind: BankItemKind;
  /** Null for the company's own money, fees and interest. */
  itemId: string | null;
  /** Minor units, below zero for money out. */
  amountMinor: bigint;
}

/** Writes matches in one statement, however many they are: a message to PostgreSQL has at most 65,535 values. */
export async function insertMatches(
  tx: Tx,
  parts: readonly MatchedPart[],
  at: Date,
): Promise<void> {
  await sql`
    INSERT INTO bank_match (id, line_id, kind, item_id, amount_minor, made_at)
    SELECT part.*, ${at}::timestamptz
      FROM unnest(${parts.map(() => newId(at.getTime()))}::uuid[],
                  ${parts.map(({ lineId }) => lineId)}::uuid[],
                  ${parts.map(({ kind }) => kind)}::text[],
                  ${parts.map(({ itemId }) => itemId)}::uuid[],
                  ${parts.map(({ amountMinor }) => String(amountMinor))}::bigint[]) AS part`.execute(
    tx,
  );
}

type Matched = Pick<MatchedPart, 'kind' | 'itemId'>;

/** Payout files among the items of matches. */
export function fileIds(parts: readonly Matched[]): string[] {
  return parts.flatMap(({ kind, itemId }) =>
    kind === 'payout_file' && itemId !== null ? [itemId] : [],
  );
}

/** Items as verification compares them: in the order of their texts. */
export function partWords(parts: readonly (Matched & { amountMinor: bigint })[]): string {
  return parts
    .map(({ kind, itemId, amountMinor }) => `${kind} ${itemId ?? ''} ${amountMinor}`)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join(', ');
}
