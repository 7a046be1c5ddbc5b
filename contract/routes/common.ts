import { z } from 'zod';
import { BANK_ACCOUNT_TYPES } from '../bank-accounts.ts';
import { MAX_CHOSEN_PAYOUTS } from '../limits.ts';
import { completionRules } from '../payouts.ts';
import { namedObject } from '../schema-names.ts';
import { personalActs } from '../things/thing.ts';
import type { Thing } from '../things/thing.ts';
import { day, id, instant, money, optionalTextOf } from './values.ts';

/** Refusals of an image that a person sends. */
export const IMAGE_ERRORS = [
  ...(['image_invalid', 'image_too_large', 'image_damaged'] as const),
  ...(['image_too_many_pixels', 'image_too_heavy'] as const),
] as const;

/** Topics of a person's own money. */
export const MONEY_TOPICS = ['wallets', 'withdrawals', 'deposits', 'payments'] as const;

/** Topics of all that waits for an administrator: people, their money and their identity. */
export const DECIDED_TOPICS = [
  ...(['bank-accounts', 'withdrawals', 'deposits', 'payments'] as const),
  ...(['payroll', 'kyc', 'people'] as const),
] as const;

/** An empty reply that still is JSON. */
export const done = namedObject('Done', { ok: z.literal(true) });

/** A person as shown next to what they did. */
export const person = namedObject('Person', {
  id,
  name: z.string(),
  employeeId: z.string().nullable(),
});

/**
 * Acts of the reader on a thing that are legal in its status, each with the reason why the server would refuse it
 * now; null if it would not.
 *
 * @param name of one of them in the OpenAPI document
 */
export function actsOf<T extends Thing>(thing: T, name: string) {
  const act = z.enum(personalActs(thing));
  return z.array(namedObject(name, { act, refusal: z.string().nullable() }));
}

/** Facts that an admin should know of a person before money can leave for a bank account or a payee of theirs. */
export const payoutContext = namedObject('PayoutContext', {
  /** Available in the wallet of a withdrawal, apart from what it holds; of a bank account, in all wallets. */
  available: money,
  held: money,
  isIdentityApproved: z.boolean(),
  isDeactivated: z.boolean(),
  /** Since when nothing leaves for this person; null while it does. */
  frozenAt: instant.nullable(),
  /** Time at which the bank account or payee was entered or changed last. */
  bankChangedAt: instant,
  /** True while the bank account or payee is as it was first entered. */
  isBankNew: z.boolean(),
  /** Time at which the password was last changed or reset; null where it is the first one. */
  passwordChangedAt: instant.nullable(),
  /** Payouts to this bank account or payee that were paid, since which year, and those that came back. */
  paid: z.number().int(),
  since: z.number().int().nullable(),
  returned: z.number().int(),
  /** The refusal of the next step, as in `acts`; null if the admin who asks may take it. */
  refusal: z.string().nullable(),
});

/** Acts of the asking admin on a thing that waits for a second admin, and the other admins who can act. */
export const approval = namedObject('Approval', {
  mayApprove: z.boolean(),
  /** True if they did the first step themselves. */
  isMine: z.boolean(),
  /** The others who may, each with from when; null: now. */
  people: z.array(namedObject('Approver', { name: z.string(), from: instant.nullable() })),
});

/** The same of a payroll or a funding. */
export const batchApproval = namedObject('BatchApproval', {
  ...approval.shape,
  /** True if they were the last to change its amounts. */
  changedAmounts: z.boolean(),
  /** Number of groups of differences to the last payroll, all of which whoever approves acknowledges first. */
  differences: z.number().int(),
});

/** A proposal of an admin that waits for another one. */
export const proposed = {
  reason: z.string(),
  proposedBy: z.string(),
  proposedAt: instant,
  isMine: z.boolean(),
  /** Time from which it needs no other administrator; null where there is one. */
  opensAt: instant.nullable(),
  /** Sentence with which accepting would be refused to the admin who asks; null: it would not. */
  refusal: z.string().nullable(),
};

/** The time in which a confirmed payroll can be stopped: what is left of it, by the server's clock. */
export const sendingWindow = namedObject('SendingWindow', {
  /** 0 when it is about to be sent. */
  leftMs: z.number().int().min(0),
  ofMs: z.number().int().min(0),
});

/** Payouts whose whole account numbers one request asks for. */
export const chosenPayouts = namedObject('ChosenPayouts', {
  ids: z.array(id).min(1).max(MAX_CHOSEN_PAYOUTS),
});

/** Body of completing a payout that the bank has sent. */
export const completion = namedObject('Completion', {
  /** The day of the company on which the money left the bank; left out: today. */
  leftBankOn: day.optional(),
  /** The bank's reference of the payout or of the file that it was sent in. */
  bankReference: optionalTextOf(completionRules.bankReference).default(''),
});

/** Facts entered when a payout was completed; null before that, or if none were entered. */
export const completed = {
  leftBankOn: day.nullable(),
  bankReference: z.string().nullable(),
};

/** Account that a payout is sent to, with its whole number. */
export const payoutTarget = namedObject('PayoutTarget', {
  id,
  /** `WD-` or `BP-` and eight digits. */
  reference: z.string(),
  employee: person,
  amount: money,
  accountHolderName: z.string(),
  /** Null of a bill: its payer enters no name of a bank. */
  bankName: z.string().nullable(),
  accountType: z.enum(BANK_ACCOUNT_TYPES),
  routingNumber: z.string(),
  accountNumber: z.string(),
});

/** A request or a transaction by its reference, as a link. */
export const transactionLink = namedObject('TransactionLink', { id, reference: z.string() });
/** A request that is sent again by another one, or sends another one again. */
export const otherAttempt = transactionLink.nullable();

/** A step of a request's rail: what happened, when, by whom. */
export const railStep = namedObject('RailStep', {
  status: z.string(),
  at: instant,
  by: z.string().nullable(),
  note: z.string().nullable(),
});

/** The name of who did something last, and when. */
export const actDone = namedObject('ActDone', { by: z.string(), at: instant });

/** Error in a cell of a file that was uploaded (`FileProblem` in contract/file-columns.ts). */
export const fileProblem = namedObject('FileProblem', {
  row: z.number().int(),
  column: z.string(),
  value: z.string(),
  message: z.string(),
});
