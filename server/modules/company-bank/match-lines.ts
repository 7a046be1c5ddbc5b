/**
 * Rules by which lines of statements are matched with items, as functions of both (DECISIONS of the project: a line is
 * matched by itself only when a reference or trace number and the amount agree; anything else is proposed, and two
 * candidates are no proposal).
 */
import { addDays } from '#contract/calendar.ts';
import type { BankItemKind, OwnKind } from '#contract/company-bank.ts';
import type { DepositMethodId } from '#contract/deposits.ts';

/** Days by which an item and its line may differ, for a proposal by amount. */
export const NEAR_DAYS = 10;

/** Columns of a line that matching reads. */
export interface MatchableLine {
  readonly id: string;
  readonly bookedOn: string;
  /** Minor units, below zero for money out. */
  readonly amountMinor: bigint;
  readonly text: string;
  readonly counterparty: string | null;
  readonly isReversal: boolean;
  readonly references: readonly string[];
}

/** An item with what no line has of it yet. */
export interface OpenItem {
  readonly kind: BankItemKind;
  readonly id: string;
  /** Minor units of it that are open, below zero for money out. */
  readonly openMinor: bigint;
  /** References by which a bank may name it. */
  readonly references: readonly string[];
  readonly person: string | null;
  readonly day: string;
  /** Method of a deposit; null of everything else. */
  readonly method: DepositMethodId | null;
}

export interface LineRule {
  readonly id: string;
  readonly text: string;
  readonly direction: 'in' | 'out';
  readonly mostMinor: bigint | null;
  readonly kind: OwnKind;
}

/**
 * Words that may be a reference: at least five letters and digits, with one digit. Banks part ours by a blank, and write the
 * number of a payout file alone (`ACH SETTLEMENT TALLIS REED 0029`), which is given as `FILE-0029`.
 */
export function referencesIn(line: Pick<MatchableLine, 'text' | 'references'>): string[] {
  const texts = [line.text, ...line.references].map((text) => text.toUpperCase());
  const words = texts.flatMap((text) => text.match(/[A-Z0-9-]*\d[A-Z0-9-]*/g) ?? []);
  const ours = texts.flatMap((text) =>
    Array.from(text.matchAll(OURS), ([, kind, digits]) => `${kind}-${digits}`),
  );
  const files = texts.flatMap((text) =>
    Array.from(text.matchAll(FILE_NUMBERS), ([digits]) => `FILE-${digits}`),
  );
  return [
    ...new Set([
      ...ours,
      ...files,
      ...words.filter((word) => word.length >= 5),
      ...line.references,
    ]),
  ];
}

/** References of Purser: a bank may write `DEP 48160092` or `DEP48160092`. */
const OURS = /\b(DEP|WD|TXN|BP|MD|PAY|IF)[ -]?(\d{4,10})\b/g;

/** Four digits or more between blanks. */
const FILE_NUMBERS = /(?<=^|\s)\d{4,10}(?=\s|$)/g;

/**
 * Items that lines are by themselves: one of its references is the item's, the amount is all that is open of it, and no
 * other item and no other line is so, too. A reversal is never matched by itself.
 *
 * @returns the item of each line that has one, by the line's id
 */
function certainMatches<Item extends OpenItem>(
  lines: readonly MatchableLine[],
  items: readonly Item[],
): ReadonlyMap<string, Item> {
  const byReference = new Map<string, Item[]>();
  for (const item of items) {
    for (const reference of item.references) {
      byReference.set(reference, [...(byReference.get(reference) ?? []), item]);
    }
  }
  return oneToOne(lines, (line) => {
    if (line.isReversal) return [];
    const named = referencesIn(line).flatMap((reference) => byReference.get(reference) ?? []);
    return [...new Set(named)].filter(({ openMinor }) => openMinor === line.amountMinor);
  });
}

/** A payment of a batch that is booked as one line. */
export interface MatchablePart {
  readonly lineId: string;
  readonly position: number;
  /** Minor units with the sign of the line; null where the file does not say it in the account's currency. */
  readonly amountMinor: bigint | null;
  readonly text: string;
  readonly counterparty: string | null;
  readonly references: readonly string[];
}

/** Parts as lines of their own, of the day of the line that has them. Those of a reversal are reversals. */
export function asLines(
  lines: readonly MatchableLine[],
  parts: readonly MatchablePart[],
): MatchableLine[] {
  const lineOf = new Map(lines.map((line) => [line.id, line]));
  return parts.flatMap(({ lineId, position, amountMinor, ...words }) => {
    const line = lineOf.get(lineId);
    if (line === undefined || amountMinor === null) return [];
    const { bookedOn, isReversal } = line;
    return [{ ...words, amountMinor, bookedOn, isReversal, id: `${lineId} ${position}` }];
  });
}

/**
 * Items of lines: the one that a line is as a whole, or those of its parts, where each part is one and together they have
 * the amount of the line. An item that a line and a part of another name is neither's.
 */
export function certainItems<Item extends OpenItem>(
  lines: readonly MatchableLine[],
  parts: readonly MatchablePart[],
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const partsOf = Map.groupBy(parts, ({ lineId }) => lineId);
  const found = certainMatches([...lines, ...asLines(lines, parts)], items);
  return new Map(
    lines.flatMap(({ id, amountMinor }): [string, readonly Item[]][] => {
      const whole = found.get(id);
      if (whole !== undefined) return [[id, [whole]]];
      const own = partsOf.get(id) ?? [];
      const each = own.flatMap(({ position }) => found.get(`${id} ${position}`) ?? []);
      const sum = each.reduce((total, { openMinor }) => total + openMinor, 0n);
      return own.length > 0 && each.length === own.length && sum === amountMinor
        ? [[id, each]]
        : [];
    }),
  );
}

/**
 * Items that lines could be by amount and day, where there is one item alone for the line, and one line alone for it.
 *
 * @param lines those without a match, with all others that an item could be, so that two of one amount are seen
 */
export function suggestedMatches<Item extends OpenItem>(
  lines: readonly MatchableLine[],
  items: readonly Item[],
): ReadonlyMap<string, Item> {
  const byAmount = Map.groupBy(items, ({ openMinor }) => openMinor);
  return oneToOne(lines, (line) =>
    (byAmount.get(line.amountMinor) ?? []).filter((item) => isNear(item, line)),
  );
}

/** Facts in which a line and an item agree. Null: the item does not have the fact. */
export interface Agreement {
  readonly amount: boolean;
  readonly day: boolean;
  readonly method: boolean | null;
  readonly name: boolean | null;
}

/** Words by which banks name the methods of deposits. */
const METHOD_WORDS: Readonly<Record<DepositMethodId, RegExp>> = {
  ach: /\b(?:ACH|SEPA|SCT|FPS|FPI|BACS|BGC|FASTER PAYMENTS?)\b/,
  wire: /\b(?:FED)?WIRE\b|\bSWIFT\b|\bCHAPS\b|\bURGENT\b/,
  card: /\bCARD\b/,
  mobile_check: /\bCHE(?:CK|QUE)S?\b|\bCHK\b|\b(?:MOBILE|REMOTE) DEP/,
  physical_check: /\bCHE(?:CK|QUE)S?\b|\bCHK\b|\b(?:BRANCH|COUNTER|REMOTE) (?:DEP|CREDIT)/,
  secure_transfer: /\bTRANSFER\b|\b(?:FED)?WIRE\b/,
};

/** Compares an item with a line, as administrators see it and as `byAgreement` ranks. */
export function agreementOf(line: MatchableLine, item: OpenItem): Agreement {
  const words = `${line.text} ${line.counterparty ?? ''}`;
  const { method, person } = item;
  return {
    amount: item.openMinor === line.amountMinor,
    day: item.day === line.bookedOn,
    method: method === null ? null : METHOD_WORDS[method].test(words.toUpperCase()),
    name: person === null ? null : isNamed(words, person),
  };
}

/** True if the bank's words have the person's last name. */
function isNamed(words: string, person: string): boolean {
  const last = person.split(' ').at(-1)?.toLowerCase() ?? '';
  return last.length > 1 && words.toLowerCase().includes(last);
}

/** Items that a line could be: those of its amount first, of them those that agree in most facts, and else in their order. */
export function byAgreement<Item extends OpenItem>(
  line: MatchableLine,
  items: readonly Item[],
): readonly (Item & { agrees: Agreement })[] {
  const rankOf = ({ agrees }: { agrees: Agreement }) => {
    const { amount, day, method, name } = agrees;
    return (amount ? 4 : 0) + [day, method, name].filter((is) => is === true).length;
  };
  return items
    .map((item) => ({ ...item, agrees: agreementOf(line, item) }))
    .toSorted((one, other) => rankOf(other) - rankOf(one));
}

function isNear({ day }: OpenItem, { bookedOn }: MatchableLine): boolean {
  return day >= addDays(bookedOn, -NEAR_DAYS) && day <= addDays(bookedOn, NEAR_DAYS);
}

/** The first rule whose text the line has, in its direction and up to its amount. Letter case does not count. */
export function ruleFor(line: MatchableLine, rules: readonly LineRule[]): LineRule | undefined {
  const text = `${line.text} ${line.counterparty ?? ''}`.toLowerCase();
  const direction = line.amountMinor > 0n ? 'in' : 'out';
  const size = line.amountMinor > 0n ? line.amountMinor : -line.amountMinor;
  return rules.find(
    (rule) =>
      rule.direction === direction &&
      text.includes(rule.text.toLowerCase()) &&
      (rule.mostMinor === null || size <= rule.mostMinor),
  );
}

function oneToOne<Item extends OpenItem>(
  lines: readonly MatchableLine[],
  candidatesOf: (line: MatchableLine) => readonly Item[],
): ReadonlyMap<string, Item> {
  const candidates = lines.map((line) => ({ line, items: candidatesOf(line) }));
  const claims = new Map<Item, number>();
  for (const { items } of candidates) {
    for (const item of items) claims.set(item, (claims.get(item) ?? 0) + 1);
  }
  const found = new Map<string, Item>();
  for (const { line, items } of candidates) {
    const [item] = items;
    if (item !== undefined && items.length === 1 && claims.get(item) === 1) {
      found.set(line.id, item);
    }
  }
  return found;
}
