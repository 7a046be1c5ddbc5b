import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import type { MatchReason } from '#contract/company-bank.ts';

export type BankLine = RouteReply<'adminListBankLines'>['lines'][number];
export type BankItem = BankLine['matchedWith'][number];
export type CompanyBank = RouteReply<'adminGetCompanyBank'>;

/** "DEP-48209944, Siobhán Doyle" */
export function itemWords({ name, person }: Pick<BankItem, 'name' | 'person'>): string {
  return person === null ? name : `${name}, ${person}`;
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

const STATUS_ORDER = ['unmatched', 'suggested', 'matched'] as const;

/** Lines as the screen orders them: those without a match first, then those that one step matches. */
export function inScreenOrder(lines: readonly BankLine[]): readonly BankLine[] {
  return STATUS_ORDER.flatMap((one) => lines.filter(({ status }) => status === one));
}
