import { z } from 'zod';
import {
  ADDRESS_MAX_LENGTH,
  ANSWER_FORMATS,
  COUNTRIES,
  EMPLOYMENT_STATUSES,
  EXPECTED_VOLUMES,
  FUNDS_SOURCES,
  GENDERS,
  ID_TYPES,
  INCOME_RANGES,
  SECURITY_QUESTIONS,
} from '../kyc.ts';
import * as limits from '../limits.ts';
import { day, email, line, paragraph } from './common.ts';

function formatted(maxLength: number, { pattern, problem }: { pattern: RegExp; problem: string }) {
  return line(maxLength).regex(pattern, problem);
}

/**
 * The answers of an identity application, each as it must look whenever it is saved. What depends on
 * the day (legal age, an expired document) and what is missing is judged when it is submitted.
 */
export const kycAnswers = z.object({
  fullName: line(2 * limits.NAME_MAX_LENGTH),
  dateOfBirth: day,
  gender: z.enum(GENDERS),
  nationality: z.enum(COUNTRIES),
  addressLine1: line(ADDRESS_MAX_LENGTH),
  addressLine2: line(ADDRESS_MAX_LENGTH),
  city: line(limits.NAME_MAX_LENGTH),
  state: line(limits.NAME_MAX_LENGTH),
  postalCode: formatted(12, ANSWER_FORMATS.postalCode),
  country: z.enum(COUNTRIES),
  phoneNumber: formatted(30, ANSWER_FORMATS.phoneNumber),
  email,
  idType: z.enum(ID_TYPES),
  idNumber: formatted(40, ANSWER_FORMATS.idNumber),
  idExpiryDate: day,
  employmentStatus: z.enum(EMPLOYMENT_STATUSES),
  employerName: line(limits.NAME_MAX_LENGTH),
  occupation: line(limits.NAME_MAX_LENGTH),
  monthlyIncomeRange: z.enum(INCOME_RANGES),
  sourceOfFunds: z.enum(FUNDS_SOURCES),
  securityQuestion: z.enum(SECURITY_QUESTIONS),
  /** SHA-256 of the answer, lowercased and trimmed, made in the browser; hex. */
  securityAnswerHash: z.string().regex(/^[0-9a-f]{64}$/),
  pep: z.boolean(),
  dualCitizenship: z.boolean(),
  foreignTaxObligations: z.boolean(),
  accountPurpose: paragraph(limits.REASON_MAX_LENGTH),
  expectedMonthlyTxVolume: z.literal(EXPECTED_VOLUMES),
});
export type KycAnswers = z.output<typeof kycAnswers>;
export type KycAnswerName = keyof KycAnswers;

type Clearable<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodNullable<Shape[Name]> };

function clearable<Shape extends z.ZodRawShape>(shape: Shape): Clearable<Shape> {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.nullable(schema)]);
  return Object.fromEntries(entries) as Clearable<Shape>;
}

/** What one save carries: the answers that changed; null clears one. */
export const kycAnswersPatch = z.object(clearable(kycAnswers.shape)).partial();
export type KycAnswersPatch = z.output<typeof kycAnswersPatch>;
