import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import type { MatchReason } from '#contract/company-bank.ts';
import { counted } from '#web/lib/format.ts';

export type BankLine = RouteReply<'adminListBankLines'>['lines'][number];
export type BankItem = BankLine['matchedWith'][number];
export type Candidate = RouteReply<'adminFindBankItems'>['candidates'][number];
export type CompanyBank = RouteReply<'adminGetCompanyBank'>;

/** "DEP-48209944, Siobhán Doyle" */
export function itemWords({ name, person }: Pick<BankItem, 'name' | 'person'>): string {
  return person === null ? name : `${name}, ${person}`;
}

/** Words of a line: the bank's, or what else names it where the bank writes none. */
export function lineWords({
  text,
  counterparty,
  references,
}: Pick<BankLine, 'text' | 'counterparty' | 'references'>): string {
  return [text, counterparty ?? '', ...references].find((words) => words !== '') ?? 'No text';
}

/** Cause of a match in words, without the person. */
export const REASON_WORDS: Readonly<Record<MatchReason, string>> = {
  reference: 'by reference',
  rule: 'by a rule',
  suggestion: 'as suggested',
  hand: 'by hand',
};

/** Sum of amounts of one currency; undefined of none. */
export function sumOf(amounts: readonly Money[]): Money | undefined {
  const [first] = amounts;
  if (first === undefined) return undefined;
  return money(
    amounts.reduce((sum, { minor }) => sum + BigInt(minor), 0n),
    first.currency,
  );
}

/**
 * Chosen items of which the last is cut to what the line has left for it, as several lines bring one payment. Undefined
 * where the line has all of them, or nothing is left for the last.
 */
export function cutToLine(
  { amount }: Pick<BankLine, 'amount'>,
  chosen: readonly BankItem[],
): readonly BankItem[] | undefined {
  const last = chosen.at(-1);
  if (last === undefined) return undefined;
  const others = chosen.slice(0, -1);
  const otherMinor = others.reduce((sum, one) => sum + BigInt(one.amount.minor), 0n);
  const [part, whole] = [BigInt(amount.minor) - otherMinor, BigInt(last.amount.minor)];
  const isPart = whole > 0n ? part > 0n && part < whole : part < 0n && part > whole;
  return isPart ? [...others, { ...last, amount: money(part, amount.currency) }] : undefined;
}

const STATUS_ORDER = ['unmatched', 'suggested', 'matched'] as const;

/** Lines as the screen orders them: those without a match first, then those that one step matches. */
export function inScreenOrder(lines: readonly BankLine[]): readonly BankLine[] {
  return STATUS_ORDER.flatMap((one) => lines.filter(({ status }) => status === one));
}

/** Lines that are not imported, with the bank's words for them. */
export function leftOutWords(notBooked: RouteReply<'adminCheckStatement'>['notBooked']): string {
  const count = notBooked.reduce((sum, each) => sum + each.count, 0);
  const words = notBooked.map((each) => `${each.count} ${each.status}`).join(', ');
  const [lines, are] = [counted(count, 'line'), count === 1 ? 'is' : 'are'];
  return `${lines} ${are} left out, because the bank has not booked ${count === 1 ? 'it' : 'them'}: ${words}.`;
}
