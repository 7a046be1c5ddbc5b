import { z } from 'zod';
import {
  BANK_DIRECTIONS,
  BANK_ITEM_KINDS,
  BANK_LINE_STATUSES,
  MATCH_REASONS,
  ON_ITS_WAY_GROUPS,
  OWN_KINDS,
  STATEMENT_FORMATS,
} from '../company-bank.ts';
import { DEPOSIT_METHOD_IDS } from '../deposits.ts';
import { namedEnum, namedObject } from '../schema-names.ts';
import { day, id, instant, money } from './values.ts';

export const account = namedObject('CompanyBankAccount', {
  id,
  bankName: z.string(),
  /** The company's own name of it. */
  label: z.string(),
  last4: z.string(),
  /** Null for an IBAN. */
  routingNumber: z.string().nullable(),
  /** Balance and day of the newest statement; null before the first. */
  closing: z.object({ day, amount: money }).nullable(),
});

export const statement = namedObject('BankStatement', {
  id,
  accountId: id,
  from: day,
  to: day,
  format: namedEnum('StatementFormat', STATEMENT_FORMATS),
  fileName: z.string(),
  importedBy: z.string(),
  importedAt: instant,
  lines: z.number().int(),
  /** Lines without a match. */
  open: z.number().int(),
  opening: money,
  closing: money,
});

const itemKind = namedEnum('BankItemKind', BANK_ITEM_KINDS);
export const itemId = id.nullable();

/** An item that a line could be, or is, matched with. */
const item = namedObject('BankItem', {
  kind: itemKind,
  /** Null for the company's own money, fees and interest. */
  itemId,
  /** `DEP-48209944`, `Payroll 0049`, `Bank fees`. */
  name: z.string(),
  /** The person; null where there is none. */
  person: z.string().nullable(),
  /** Its amount on the bank's account that no line has yet, below zero for money out; of a match the part of the line. */
  amount: money,
  day: day.nullable(),
});

/** An item that a line could be, with the facts in which they agree; null where the item does not have the fact. */
export const candidate = namedObject('BankCandidate', {
  ...item.shape,
  /** Method of a deposit; null for everything else. */
  method: namedEnum('DepositMethod', DEPOSIT_METHOD_IDS).nullable(),
  agrees: z.object({
    amount: z.boolean(),
    day: z.boolean(),
    method: z.boolean().nullable(),
    name: z.boolean().nullable(),
  }),
});

const suggestion = namedObject('BankSuggestion', {
  item,
  /** Rule that proposes it; null where amount and day do. */
  ruleId: id.nullable(),
  /** "Same amount, two days apart. No reference." */
  why: z.string(),
});

export const bankLine = namedObject('BankLine', {
  id,
  statementId: id,
  /** Place among the new lines of its statement; 0 for the difference of the opening balance. */
  position: z.number().int(),
  bookedOn: day,
  valueOn: day.nullable(),
  text: z.string(),
  counterparty: z.string().nullable(),
  /** References of the bank and the payer, and the trace number. */
  references: z.array(z.string()),
  amount: money,
  isReversal: z.boolean(),
  status: namedEnum('BankLineStatus', BANK_LINE_STATUSES),
  suggestion: suggestion.nullable(),
  /** Payments of a batch that the bank booked as this line, at most 200; empty for other lines. */
  parts: z.array(
    namedObject('BankLinePart', {
      text: z.string(),
      counterparty: z.string().nullable(),
      /** References of the payer and the trace number. */
      references: z.array(z.string()),
      /** Null where the file does not say it in the account's currency. */
      amount: money.nullable(),
    }),
  ),
  /** The items of a matched line. */
  matchedWith: z.array(item),
  /** Null unless it is matched. */
  matched: z
    .object({
      reason: namedEnum('MatchReason', MATCH_REASONS),
      by: z.string().nullable(),
      at: instant,
    })
    .nullable(),
  /** The sentence with which matching it, or taking its match back, would be refused now; null if it would not. */
  refusal: z.string().nullable(),
});

export const rule = namedObject('BankRule', {
  id,
  text: z.string(),
  direction: namedEnum('BankDirection', BANK_DIRECTIONS),
  most: money.nullable(),
  kind: namedEnum('OwnMoneyKind', OWN_KINDS),
  taken: z.number().int(),
});

/** Figures that the dashboard and Company Bank both show of the company's money, in this order with what is on its way. */
export const sums = {
  /** Null before the first statement. */
  atBank: namedObject('AtBank', { amount: money, day }).nullable(),
  owed: namedObject('OwedInWallets', { amount: money, wallets: z.number().int(), at: instant }),
  /** Null before the first statement. It is the sum of the lines that have no match. */
  difference: money.nullable(),
  openLines: z.number().int(),
};

export const position = namedObject('BankPosition', {
  atBank: sums.atBank,
  /** Null before the first statement. */
  onItsWay: z
    .object({
      amount: money,
      groups: z.array(
        namedObject('OnItsWay', {
          group: namedEnum('OnItsWayGroup', ON_ITS_WAY_GROUPS),
          amount: money,
          /** Names of its first items, and their whole number. */
          names: z.array(z.string()),
          count: z.number().int(),
        }),
      ),
    })
    .nullable(),
  owed: sums.owed,
  difference: sums.difference,
  openLines: sums.openLines,
});
