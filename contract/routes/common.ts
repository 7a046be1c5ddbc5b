import { z } from 'zod';
import { emailRule } from '../identity.ts';
import { reasonRule } from '../reasons.ts';
import { AMOUNT_PROBLEM, problemUnlessEmpty } from '../rules.ts';
import type { NumberRule, TextRule } from '../rules.ts';
import { CURRENCIES, MAX_AMOUNT_MINOR } from '../money.ts';

export const id = z.uuid();
export const idParams = z.object({ id });

/** A moment, ISO 8601 in UTC. */
export const instant = z.iso.datetime();
/** A calendar day, `2026-12-08`. */
export const day = z.iso.date();

export const money = z.object({
  minor: z.string().regex(/^-?(?:0|[1-9]\d{0,18})$/),
  currency: z.enum(CURRENCIES),
});

/** An amount a request names: whole minor units, above zero, bounded. */
export const amount = z.object({
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

/** A whole number, by its rule. */
export function numberOf({ least, most, problem }: NumberRule) {
  return z.number(problem).int(problem).min(least, problem).max(most, problem);
}

export const email = textOf(emailRule);

export const reason = textOf(reasonRule);

/** An empty reply that still is JSON. */
export const done = z.object({ ok: z.literal(true) });

/** A person as shown beside what they did. */
export const person = z.object({
  id,
  name: z.string(),
  employeeId: z.string().nullable(),
});

/** What an admin should know of a person before money can leave for one of their bank accounts. */
export const payoutContext = z.object({
  /** Free in the wallet that a withdrawal leaves, beside what it holds; of a bank account, in all wallets. */
  available: money,
  held: money,
  isIdentityApproved: z.boolean(),
  isDeactivated: z.boolean(),
  /** Since when nothing leaves for this person; null while it does. */
  frozenAt: instant.nullable(),
  /** When the bank account was entered or changed last. */
  bankChangedAt: instant,
  /** When the password was changed or reset last; null where it is the first one. */
  passwordChangedAt: instant.nullable(),
  /** Withdrawals that were paid to this bank account, since which year, and those that came back. */
  paid: z.number().int(),
  since: z.number().int().nullable(),
  returned: z.number().int(),
  /** Why the admin who asks may not take the next step (own request, two-person rules); null if they may. */
  refusal: z.string().nullable(),
});

/** A step of a request's rail: what happened, when, by whom. */
export const railStep = z.object({
  status: z.string(),
  at: instant,
  by: z.string().nullable(),
  note: z.string().nullable(),
});
