import { z } from 'zod';
import { namedEnum } from '../schema-names.ts';
import { kycAnswerRules } from '../kyc-answer-rules.ts';
import { COUNTRIES } from '../postal-codes.ts';
import {
  EMPLOYMENT_STATUSES,
  EXPECTED_VOLUMES,
  FUNDS_SOURCES,
  GENDERS,
  ID_TYPES,
  INCOME_RANGES,
  SECURITY_QUESTIONS,
} from '../kyc.ts';
import { day, textOf } from './values.ts';

/**
 * The answers of an identity application, each as it must look whenever it is saved. What depends on
 * the day (legal age, an expired document) and what is missing is judged when it is submitted.
 */
export const kycAnswers = z.object({
  fullName: textOf(kycAnswerRules.fullName),
  dateOfBirth: day,
  gender: namedEnum('Gender', GENDERS),
  nationality: z.enum(COUNTRIES),
  addressLine1: textOf(kycAnswerRules.addressLine1),
  addressLine2: textOf(kycAnswerRules.addressLine2),
  city: textOf(kycAnswerRules.city),
  state: textOf(kycAnswerRules.state),
  postalCode: textOf(kycAnswerRules.postalCode),
  country: namedEnum('Country', COUNTRIES),
  phoneNumber: textOf(kycAnswerRules.phoneNumber),
  email: textOf(kycAnswerRules.email),
  idType: namedEnum('IdType', ID_TYPES),
  idNumber: textOf(kycAnswerRules.idNumber),
  idExpiryDate: day,
  employmentStatus: namedEnum('EmploymentStatus', EMPLOYMENT_STATUSES),
  employerName: textOf(kycAnswerRules.employerName),
  occupation: textOf(kycAnswerRules.occupation),
  monthlyIncomeRange: namedEnum('IncomeRange', INCOME_RANGES),
  sourceOfFunds: namedEnum('FundsSource', FUNDS_SOURCES),
  securityQuestion: namedEnum('SecurityQuestion', SECURITY_QUESTIONS),
  /** SHA-256 of the answer, lowercased and trimmed, made in the browser; hex. */
  securityAnswerHash: z.string().regex(/^[0-9a-f]{64}$/),
  pep: z.boolean(),
  dualCitizenship: z.boolean(),
  foreignTaxObligations: z.boolean(),
  accountPurpose: textOf(kycAnswerRules.accountPurpose),
  // The API's description would have only the first value of a literal with several.
  expectedMonthlyTxVolume: z.union(EXPECTED_VOLUMES.map((volume) => z.literal(volume))),
});
export type KycAnswers = z.output<typeof kycAnswers>;
export type KycAnswerName = keyof KycAnswers;

type Clearable<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodNullable<Shape[Name]> };

function clearable<Shape extends z.ZodRawShape>(shape: Shape): Clearable<Shape> {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.nullable(schema)]);
  return Object.fromEntries(entries) as Clearable<Shape>;
}

/** Body of one save: the answers that changed; null clears one. */
export const kycAnswersPatch = z.object(clearable(kycAnswers.shape)).partial();
export type KycAnswersPatch = z.output<typeof kycAnswersPatch>;
