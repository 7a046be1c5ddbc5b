import { emailRule } from './email.ts';
import { NAME_MAX_LENGTH, REASON_MAX_LENGTH } from './limits.ts';
import { formatted, line, nameLine, paragraph } from './rules.ts';
import type { TextRule } from './rules.ts';

const ADDRESS_MAX_LENGTH = 120;

/** Rules for the typed answers of an identity application. */
export const kycAnswerRules = {
  fullName: nameLine(2 * NAME_MAX_LENGTH),
  addressLine1: line(ADDRESS_MAX_LENGTH),
  addressLine2: line(ADDRESS_MAX_LENGTH),
  city: line(NAME_MAX_LENGTH),
  state: line(NAME_MAX_LENGTH),
  postalCode: formatted(12, {
    allowed: /[A-Za-z0-9 -]/,
    pattern: /^[A-Za-z0-9][A-Za-z0-9 -]{1,11}$/,
    problem: 'Enter a valid postal code',
  }),
  phoneNumber: formatted(30, {
    allowed: /[\d\s().+-]/,
    pattern: /^\+?(?:[\s().-]*\d){7,15}[\s().-]*$/,
    problem: 'Enter a phone number of 7 to 15 digits',
  }),
  email: emailRule,
  idNumber: formatted(40, {
    // Stars, brackets and letters of every script, as the documents have them: LEE**JD234QT, A123456(7).
    allowed: /[\p{L}\p{M}\p{N} ./*()-]/u,
    pattern: /^[\p{L}\p{N}*(][\p{L}\p{M}\p{N} ./*()-]{2,39}$/u,
    problem: 'Enter the number on the document',
  }),
  employerName: line(NAME_MAX_LENGTH),
  occupation: line(NAME_MAX_LENGTH),
  accountPurpose: paragraph(REASON_MAX_LENGTH),
} satisfies Record<string, TextRule>;
