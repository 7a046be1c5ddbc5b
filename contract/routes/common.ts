import { z } from 'zod';
import { EMAIL_PATTERN } from '../identity.ts';
import * as limits from '../limits.ts';
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
    .regex(/^[1-9]\d{0,14}$/, 'Please enter a valid amount')
    .refine((digits) => !/^\d{1,15}$/.test(digits) || BigInt(digits) <= MAX_AMOUNT_MINOR, {
      error: 'Please enter a valid amount',
    }),
  currency: z.enum(CURRENCIES),
});

/** One line of text a person typed: trimmed, without control characters. */
export function line(maxLength: number, requiredMessage = 'Please fill in all required fields') {
  return (
    z
      .string()
      .trim()
      .min(1, requiredMessage)
      .max(maxLength, `Use at most ${maxLength} characters`)
      // eslint-disable-next-line no-control-regex
      .regex(/^[^\u0000-\u001f\u007f]*$/, 'Use plain text on one line')
  );
}

/** Text of several lines. */
export function paragraph(
  maxLength: number,
  requiredMessage = 'Please fill in all required fields',
) {
  return (
    z
      .string()
      .trim()
      .min(1, requiredMessage)
      .max(maxLength, `Use at most ${maxLength} characters`)
      // eslint-disable-next-line no-control-regex
      .regex(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/, 'Use plain text')
  );
}

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(limits.EMAIL_MAX_LENGTH)
  .regex(EMAIL_PATTERN, 'Enter a valid email address');

export const reason = paragraph(limits.REASON_MAX_LENGTH, 'Rejection reason is required');

/** An empty reply that still is JSON. */
export const done = z.object({ ok: z.literal(true) });

/** A person as shown beside what they did. */
export const person = z.object({
  id,
  name: z.string(),
  employeeId: z.string().nullable(),
});

/** A step of a request's rail: what happened, when, by whom. */
export const railStep = z.object({
  status: z.string(),
  at: instant,
  by: z.string().nullable(),
  note: z.string().nullable(),
});
