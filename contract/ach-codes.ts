import { ISO_REASONS } from './iso-reasons.ts';
import type { IsoReason, ReturnCause } from './iso-reasons.ts';

/**
 * Reasons by which banks send ACH entries back, and corrections that they notify. Source: NACHA Operating Rules,
 * Appendix Four (return entries) and Appendix Five (notifications of change). Free of zod.
 */

/** Return reason codes. R61 to R70 dishonor a return, R71 to R77 contest that. */
export const RETURN_CODES = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R03: 'No account or unable to locate',
  R04: 'Invalid account number',
  R05: 'Unauthorized debit to a consumer account',
  R06: 'Returned at the sending bank’s request',
  R07: 'Authorization revoked',
  R08: 'Payment stopped',
  R09: 'Uncollected funds',
  R10: 'Sender not known or not authorized',
  R11: 'Not in accordance with the authorization',
  R12: 'Account sold to another bank',
  R13: 'Invalid routing number',
  R14: 'Representative payee deceased or unable to continue',
  R15: 'Account holder deceased',
  R16: 'Account frozen',
  R17: 'Invalid account number, questionable circumstances',
  R18: 'Improper effective date',
  R19: 'Amount error',
  R20: 'Account takes no such payments',
  R21: 'Invalid company identification',
  R22: 'Invalid identification number',
  R23: 'Refused by the receiver',
  R24: 'Duplicate entry',
  R25: 'Addenda error',
  R26: 'Mandatory field error',
  R27: 'Trace number error',
  R28: 'Routing number check digit error',
  R29: 'Not authorized by the corporate customer',
  R30: 'Bank does not take part in check truncation',
  R31: 'Permissible return entry',
  R32: 'Bank cannot settle',
  R33: 'Return of a destroyed check entry',
  R34: 'Bank participates in part only',
  R35: 'Return of an improper debit entry',
  R36: 'Return of an improper credit entry',
  R37: 'Source document presented for payment',
  R38: 'Stop payment on the source document',
  R39: 'Improper source document',
  R40: 'Enrollment returned by a federal agency',
  R41: 'Enrollment: invalid transaction code',
  R42: 'Enrollment: routing number error',
  R43: 'Enrollment: invalid account number',
  R44: 'Enrollment: invalid identification number',
  R45: 'Enrollment: invalid name',
  R46: 'Enrollment: invalid representative payee indicator',
  R47: 'Enrollment: duplicate',
  R50: 'State law affects a represented check',
  R51: 'Represented check is ineligible',
  R52: 'Stop payment on the represented check',
  R53: 'Check and its entry presented for payment',
  R61: 'Misrouted return',
  R62: 'Return of an erroneous or reversing debit',
  R67: 'Duplicate return',
  R68: 'Untimely return',
  R69: 'Field error',
  R70: 'Permissible return entry not accepted',
  R71: 'Misrouted dishonored return',
  R72: 'Untimely dishonored return',
  R73: 'Timely original return',
  R74: 'Corrected return',
  R75: 'Return not a duplicate',
  R76: 'No errors found',
  R77: 'Non-acceptance of a dishonored return',
  R80: 'International entry coding error',
  R81: 'Bank does not take international entries',
  R82: 'Invalid foreign bank identification',
  R83: 'Foreign bank unable to settle',
  R84: 'Entry not processed by the gateway',
  R85: 'Incorrectly coded international payment',
} as const;
export type AchReturnCode = keyof typeof RETURN_CODES;
/** A reason for which a payment came back, by NACHA (three characters) or ISO 20022 (four). */
export type ReturnCode = AchReturnCode | IsoReason;

/** Change codes of notifications of change, with what the corrected data are. */
export const CHANGE_CODES = {
  C01: 'Account number',
  C02: 'Routing number',
  C03: 'Routing number and account number',
  C04: 'Name of the receiver',
  C05: 'Type of account',
  C06: 'Account number and type of account',
  C07: 'Routing number, account number and type of account',
  C08: 'Receiving bank identification of an international entry',
  C09: 'Identification number',
  C10: 'Name of the company',
  C11: 'Company identification',
  C12: 'Name and identification of the company',
  C13: 'Format of the addenda',
} as const;
export type ChangeCode = keyof typeof CHANGE_CODES;

const CAUSES: Readonly<Record<Exclude<ReturnCause, 'file'>, readonly AchReturnCode[]>> = {
  closed: ['R02'],
  moved: ['R12'],
  number: ['R03', 'R04', 'R13', 'R17', 'R28', 'R82'],
  refused: ['R05', 'R07', 'R10', 'R11', 'R23', 'R29'],
  blocked: ['R16', 'R20', 'R34', 'R81'],
  deceased: ['R14', 'R15'],
  bank: ['R32', 'R83'],
  recalled: ['R06', 'R24', 'R31'],
  funds: ['R01', 'R08', 'R09'],
};

/** The cause of a return; `file` for a code that is about the company's file and not about the account. */
export function causeOf(code: ReturnCode): ReturnCause {
  if (isIsoReason(code)) return ISO_REASONS[code].cause;
  const causes = Object.keys(CAUSES) as (keyof typeof CAUSES)[];
  return causes.find((cause) => CAUSES[cause].includes(code)) ?? 'file';
}

function isIsoReason(code: string): code is IsoReason {
  return Object.hasOwn(ISO_REASONS, code);
}

/** Meaning of a return or change code for administrators: `Account closed`. Empty for a code that is none. */
export function codeWords(code: string): string {
  if (isIsoReason(code)) return ISO_REASONS[code].words;
  const words: Readonly<Partial<Record<string, string>>> = { ...RETURN_CODES, ...CHANGE_CODES };
  return words[code] ?? '';
}

/**
 * True for a code after which the account may not be paid to before it was corrected and verified: the account is
 * closed, does not exist, takes no credits, or its owner refuses them. NACHA Operating Rules, 2.12.4 (reinitiation of
 * returned entries) and Appendix Four: such an entry may be sent again only once its cause is remedied.
 */
export function marksAccount(code: ReturnCode): boolean {
  return MARKING.has(causeOf(code));
}
const MARKING: ReadonlySet<ReturnCause> = new Set([
  'closed',
  'moved',
  'number',
  'refused',
  'blocked',
  'deceased',
]);

/** Meaning of a return for the person whose wallet has its money again. */
export const RETURN_MEANINGS: Readonly<Record<ReturnCause, string>> = {
  closed: 'The account is closed. Enter another account before you request it again.',
  moved: 'The account is now at another bank. Enter its new numbers before you request it again.',
  number: 'The bank does not know this account number. Check the account and correct it.',
  refused: 'The payment was refused by the account’s holder. Check the account and confirm it.',
  blocked: 'The account takes no such payments. Enter another account.',
  deceased: 'The bank has closed this account to payments. Contact the company before you use it.',
  bank: 'The bank cannot take payments now. Your account stays as it is. You can request it again.',
  recalled: 'The company’s bank asked for it back. Your account stays as it is.',
  funds:
    'The bank could not take the payment. Your account stays as it is. You can request it again.',
  file: 'The bank could not process it. Your account stays as it is. You can request it again.',
};
