import { z } from 'zod';
import { eitherNumberRule, eitherRoutingRule } from '../account-formats.ts';
import { emailRule } from '../email.ts';
import { MAX_COLUMN_INTEGER, MAX_PAGE } from '../limits.ts';
import { AMOUNT_PROBLEM, CURRENCIES, MAX_AMOUNT_MINOR } from '../money.ts';
import { nameRules } from '../person-name.ts';
import { correctionReasonRule, reasonRule } from '../reasons.ts';
import { problemUnlessEmpty } from '../rules.ts';
import type { NumberRule, TextRule } from '../rules.ts';
import { namedEnum, namedObject } from '../schema-names.ts';

/** Single values that operations take and reply. Objects that several of them have are in common.ts. */

export const id = z.uuid();
export const idParams = z.object({ id });
/** A page of a part of a screen, from 1. */
export const page = z.coerce.number().int().min(1).max(MAX_PAGE).default(1);

/** A moment, ISO 8601 in UTC. */
export const instant = z.iso.datetime();
/** A calendar day, `2026-12-08`. */
export const day = z.iso.date();

export const money = namedObject('Money', {
  minor: z.string().regex(/^-?(?:0|[1-9]\d{0,18})$/),
  currency: namedEnum('Currency', CURRENCIES),
});

/** An amount a request names: whole minor units, above zero, bounded. */
export const amount = namedObject('Amount', {
  minor: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, AMOUNT_PROBLEM)
    .refine((digits) => !/^\d{1,15}$/.test(digits) || BigInt(digits) <= MAX_AMOUNT_MINOR, {
      error: AMOUNT_PROBLEM,
    }),
  currency: z.enum(CURRENCIES),
});

/** A text that a person typed, by its rule. */
export function textOf(rule: TextRule) {
  return (
    z
      .string()
      .overwrite(rule.clean)
      // Said by the rule below, too; here for those who read the API's description.
      .max(rule.maxLength, {
        error: ({ input }) => (typeof input === 'string' ? rule.problem(input) : undefined),
      })
      .superRefine((text, context) => {
        const message = rule.problem(text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
  );
}

/** {@link textOf} that may be left empty. */
export function optionalTextOf(rule: TextRule) {
  return z
    .string()
    .overwrite(rule.clean)
    .superRefine((text, context) => {
      const message = problemUnlessEmpty(rule, text);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });
}

/**
 * Numbers of a bank account: a routing number and an account number in a company in USD, a sort code and an account number
 * in GBP, an IBAN without a routing number in EUR.
 */
export const accountNumbers = {
  accountNumber: textOf(eitherNumberRule),
  routingNumber: optionalTextOf(eitherRoutingRule).default(''),
};

/** A whole number, by its rule. */
export function numberOf({ least, most, problem }: NumberRule) {
  return z.number(problem).int(problem).min(least, problem).max(most, problem);
}

export const email = textOf(emailRule);

/** Fields of a person's name as it is typed. The last name of a single name is empty. */
export const personName = {
  firstName: textOf(nameRules.firstName),
  lastName: textOf(nameRules.lastName),
};

export const reason = textOf(reasonRule);
export const correctionReason = textOf(correctionReasonRule);

/** Version of a row as its reader saw it, or a row's number in a file. */
export const rowInteger = z.number().int().min(0).max(MAX_COLUMN_INTEGER);
