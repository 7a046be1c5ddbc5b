import { sql } from 'kysely';
import type { BankItemKind } from '#contract/company-bank.ts';
import type { Currency } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { itemsByReference } from './items.ts';
import { loadLines } from './lines.ts';
import { settleFiles } from './settle-files.ts';
import { certainMatches, referencesIn } from './match-lines.ts';

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
  const references = [...new Set(lines.flatMap(referencesIn))];
  const items = await itemsByReference(tx, { timeZone, currency }, references);
  const matches = [...certainMatches(lines, items)];
  if (matches.length === 0) return 0;
  const parts = matches.map(([lineId, { kind, id, openMinor }]) => ({
    ...{ lineId, kind, itemId: id, amountMinor: openMinor },
  }));
  await sql`UPDATE bank_line SET matched_at = ${at}, matched_by = NULL, match_reason = 'reference'
             WHERE id = ANY (${matches.map(([id]) => id)}::uuid[])`.execute(tx);
  await insertMatches(tx, parts, at);
  for (const [id, item] of matches) {
    record(tx, { actor: 'system' }, 'bank_line.matched', {
      ...{ id, at },
      details: { reason: 'reference', items: `${item.kind} ${item.id} ${item.openMinor}` },
    });
  }
  const files = matches.filter(([, { kind }]) => kind === 'payout_file').map(([, { id }]) => id);
  await settleFiles(tx, services, files);
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
