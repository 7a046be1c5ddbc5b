import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import type { BankItemKind, MatchReason, OwnKind } from '#contract/company-bank.ts';
import { BANK_LINES_SHOWN, MOST_LINE_ITEMS, OWN_KIND_LABELS } from '#contract/company-bank.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { isFound } from '#server/db/search.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { isOfCurrency } from './accounts.ts';
import { itemsById, itemsNear, itemsOfAmount, ownName, searchItems } from './items.ts';
import type { BankItemRow } from './select-items.ts';
import { agreementOf, byAgreement, NEAR_DAYS, ruleFor, suggestedMatches } from './match-lines.ts';
import type { LineRule, MatchableLine, MatchablePart } from './match-lines.ts';

export type BankLine = RouteReply<'adminListBankLines'>['lines'][number];
export type BankItem = BankLine['matchedWith'][number];

export interface LineRow extends MatchableLine {
  readonly statementId: string;
  readonly position: number;
  readonly valueOn: string | null;
  readonly currency: Currency;
  readonly matchedAt: Date | null;
  readonly matchedBy: string | null;
  readonly matchReason: MatchReason | null;
  /** True if its month is closed. */
  readonly isClosed: boolean;
}

/** Lines by a condition on `line`, the newest first. */
export async function loadLines(reader: Reader, where: RawBuilder<unknown>): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    SELECT line.id, line.statement_id, line.position, line.booked_on::text AS booked_on,
           line.value_on::text AS value_on, line.amount_minor, line.text, line.counterparty, line.is_reversal,
           array_remove(ARRAY[line.bank_reference, line.end_to_end_reference, line.trace, line.batch_reference],
                        NULL) AS references,
           account.currency, line.matched_at, line.match_reason, app_user.name AS matched_by,
           EXISTS (SELECT FROM ledger_calendar AS calendar
                    WHERE line.booked_on::timestamp AT TIME ZONE calendar.time_zone < calendar.closed_until) AS is_closed
      FROM bank_line AS line
      JOIN company_bank_account AS account ON account.id = line.account_id
      LEFT JOIN app_user ON app_user.id = line.matched_by
     WHERE ${where}
     ORDER BY line.booked_on DESC, line.statement_id DESC, line.position DESC`.execute(reader);
  return rows;
}

/**
 * A page of the lines of a statement, or of all that have no match: those without a match first, then the newest.
 *
 * @throws {AppError} `statement_not_found`
 */
export async function listLines(
  reader: Reader,
  { statementId, search, page }: RouteArguments<'adminListBankLines'>['query'],
): Promise<RouteReply<'adminListBankLines'>> {
  if (statementId !== undefined) {
    const { rows } = await sql`SELECT FROM bank_statement WHERE id = ${statementId}`.execute(
      reader,
    );
    if (rows.length === 0) throw new AppError('statement_not_found');
  }
  const of =
    statementId === undefined
      ? sql`line.matched_at IS NULL`
      : sql`line.statement_id = ${statementId}`;
  const searched = { words: sql`line.search_words`, amount: sql`abs(line.amount_minor)` };
  const where = search.trim() === '' ? of : sql`${of} AND ${isFound(searched, search)}`;
  const { rows: counts } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM bank_line AS line WHERE ${where}`.execute(reader);
  // Each order is that of an index.
  const order =
    statementId === undefined
      ? sql`line.booked_on DESC, line.statement_id DESC, line.position DESC`
      : sql`(line.matched_at IS NULL) DESC, line.booked_on DESC, line.position DESC`;
  const { rows: found } = await sql<{ id: string }>`
    SELECT line.id FROM bank_line AS line WHERE ${where} ORDER BY ${order}
     LIMIT ${BANK_LINES_SHOWN} OFFSET ${(page - 1) * BANK_LINES_SHOWN}`.execute(reader);
  const ids = found.map(({ id }) => id);
  const lines = await loadLines(reader, sql`line.id = ANY (${ids}::uuid[])`);
  const byId = new Map(lines.map((line) => [line.id, line]));
  return {
    lines: await presentLines(
      reader,
      ids.flatMap((id) => byId.get(id) ?? []),
    ),
    total: counts[0]?.total ?? 0,
  };
}

/** @throws {AppError} `bank_line_not_found` */
export async function findLine(reader: Reader, id: string): Promise<LineRow> {
  const [row] = await loadLines(reader, sql`line.id = ${id}`);
  if (row === undefined) throw new AppError('bank_line_not_found');
  return row;
}

/** Items of a line's amount, or those that a search finds: those first that agree with it most, then the nearest day. */
export async function findLineItems(
  reader: Reader,
  { id, search }: { id: string; search: string },
): Promise<RouteReply<'adminFindBankItems'>> {
  const line = await findLine(reader, id);
  const { timeZone } = await readSettings(reader);
  const scope = { timeZone, currency: line.currency };
  const near = line.bookedOn;
  const found =
    search.trim() === ''
      ? await itemsOfAmount(reader, scope, { minor: line.amountMinor, near })
      : await searchItems(reader, scope, { search, near });
  return {
    candidates: byAgreement(line, found).map((item) => ({
      ...presentItem(item, item.openMinor, line.currency),
      method: item.method,
      agrees: item.agrees,
    })),
  };
}

export async function loadRules(reader: Reader): Promise<(LineRule & { takenCount: number })[]> {
  const { rows } = await sql<LineRule & { takenCount: number }>`
    SELECT id, text, direction, most_minor, kind, taken_count FROM bank_rule
     WHERE removed_at IS NULL ORDER BY added_at, id`.execute(reader);
  return rows;
}

interface MatchRow {
  lineId: string;
  kind: BankItemKind;
  itemId: string | null;
  amountMinor: bigint;
}

/** Payments of lines that the bank booked as one, in their order; of each line the first of them, if that many. */
export async function partsOf(
  reader: Reader,
  lineIds: readonly string[],
  most?: number,
): Promise<MatchablePart[]> {
  const { rows } = await sql<MatchablePart>`
    SELECT line_id, position, amount_minor, text, counterparty,
           array_remove(ARRAY[end_to_end_reference, trace], NULL) AS references
      FROM bank_line_part
     WHERE line_id = ANY (${lineIds}::uuid[]) AND position <= coalesce(${most ?? null}::integer, position)
     ORDER BY line_id, position`.execute(reader);
  return rows;
}

/** Lines as they are shown: with their items, or with what is proposed. */
export async function presentLines(reader: Reader, lines: readonly LineRow[]): Promise<BankLine[]> {
  const { timeZone } = await readSettings(reader);
  const { rows: matches } = await sql<MatchRow>`
    SELECT line_id, kind, item_id, amount_minor FROM bank_match
     WHERE line_id = ANY (${lines.map(({ id }) => id)}::uuid[]) AND undone_at IS NULL
     ORDER BY id`.execute(reader);
  const items = await itemsById(reader, { timeZone }, matches);
  const proposals = await proposalsFor(reader, timeZone, lines);
  const ids = lines.map(({ id }) => id);
  const partsOfLine = Map.groupBy(
    await partsOf(reader, ids, MOST_LINE_ITEMS),
    ({ lineId }) => lineId,
  );
  const matchesOf = Map.groupBy(matches, ({ lineId }) => lineId);
  const itemOf = new Map(items.map((item) => [`${item.kind} ${item.id}`, item]));
  return lines.map((line) => {
    const suggestion = proposals.get(line.id) ?? null;
    const { id, statementId, position, bookedOn, valueOn, text, counterparty, isReversal } = line;
    return {
      id,
      statementId,
      position,
      bookedOn,
      valueOn,
      text,
      counterparty,
      isReversal,
      references: [...line.references],
      amount: money(line.amountMinor, line.currency),
      status: line.matchedAt !== null ? 'matched' : suggestion === null ? 'unmatched' : 'suggested',
      suggestion,
      parts: (partsOfLine.get(id) ?? []).map((part) => ({
        text: part.text,
        counterparty: part.counterparty,
        references: [...part.references],
        amount: part.amountMinor === null ? null : money(part.amountMinor, line.currency),
      })),
      matchedWith: (matchesOf.get(id) ?? []).map(({ kind, itemId, amountMinor }) => {
        const item = itemOf.get(`${kind} ${itemId}`);
        return item === undefined
          ? presentOwn(kind, amountMinor, line.currency)
          : presentItem(item, amountMinor, line.currency);
      }),
      matched:
        line.matchedAt === null || line.matchReason === null
          ? null
          : { reason: line.matchReason, by: line.matchedBy, at: line.matchedAt.toISOString() },
      refusal: line.isClosed ? new AppError('month_closed').message : null,
    };
  });
}

/** Proposals for those of the lines that have no match. */
async function proposalsFor(
  reader: Reader,
  timeZone: string,
  shown: readonly LineRow[],
): Promise<ReadonlyMap<string, NonNullable<BankLine['suggestion']>>> {
  const wanted = shown.filter(({ matchedAt }) => matchedAt === null);
  if (wanted.length === 0) return new Map();
  // The difference of an opening balance is no payment.
  const payments = wanted.filter(({ position }) => position > 0);
  const suggested = new Map<string, BankItemRow>();
  for (const [currency, lines] of Map.groupBy(payments, (line) => line.currency)) {
    const found = await suggestionsFor(reader, { timeZone, currency }, lines);
    for (const [id, item] of found) suggested.set(id, item);
  }
  const rules = await loadRules(reader);
  const found = new Map<string, NonNullable<BankLine['suggestion']>>();
  for (const line of wanted) {
    const rule = ruleFor(line, rules);
    const item = suggested.get(line.id);
    if (rule !== undefined) {
      const own = presentOwn(rule.kind, line.amountMinor, line.currency);
      found.set(line.id, { item: own, ruleId: rule.id, why: `Rule “${rule.text}”` });
    } else if (item !== undefined) {
      const why = agreementOf(line, item).name
        ? 'Same amount and name. No reference.'
        : 'Same amount. No reference.';
      found.set(line.id, {
        item: presentItem(item, item.openMinor, line.currency),
        ruleId: null,
        why,
      });
    }
  }
  return found;
}

/**
 * Items that lines of a currency could be by amount and day. Read with them are the other open lines that such an item
 * could be, at most two for each item: they are enough to see that it is no proposal.
 */
async function suggestionsFor(
  reader: Reader,
  scope: { timeZone: string; currency: Currency },
  lines: readonly LineRow[],
): Promise<ReadonlyMap<string, BankItemRow>> {
  const amounts = new Map(
    lines.map(({ amountMinor, bookedOn }) => [
      `${amountMinor} ${bookedOn}`,
      { minor: amountMinor, day: bookedOn },
    ]),
  );
  const items = await itemsNear(reader, scope, [...amounts.values()], NEAR_DAYS);
  if (items.length === 0) return new Map();
  const rivals = await loadLines(
    reader,
    sql`line.id IN (
      SELECT rival.id
        FROM unnest(${items.map(({ openMinor }) => String(openMinor))}::bigint[],
                    ${items.map(({ day }) => day)}::date[]) AS item (minor, day)
       CROSS JOIN LATERAL (
         SELECT id FROM bank_line
          WHERE matched_at IS NULL AND position > 0 AND amount_minor = item.minor
            AND booked_on BETWEEN item.day - ${NEAR_DAYS}::integer AND item.day + ${NEAR_DAYS}::integer
            AND ${isOfCurrency(sql`account_id`, scope.currency)}
          LIMIT 2) AS rival)`,
  );
  const known = new Set(lines.map(({ id }) => id));
  return suggestedMatches([...lines, ...rivals.filter(({ id }) => !known.has(id))], items);
}

export function presentItem(row: BankItemRow, amountMinor: bigint, currency: Currency): BankItem {
  const { kind, id, name, person, day } = row;
  return { kind, itemId: id, name, person, day, amount: money(amountMinor, currency) };
}

function presentOwn(kind: BankItemKind, amountMinor: bigint, currency: Currency): BankItem {
  const name = ownName(kind) ?? 'No longer there';
  return {
    kind,
    itemId: null,
    name,
    person: null,
    day: null,
    amount: money(amountMinor, currency),
  };
}

export function isOwnKind(kind: BankItemKind): kind is OwnKind {
  return kind in OWN_KIND_LABELS;
}

/** An amount in words for a refusal. */
export function amountWords(minor: bigint, currency: Currency): string {
  return formatMoney(money(minor, currency), 'always');
}
