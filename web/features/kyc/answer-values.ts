import type { KycApplication } from '#contract/api.ts';
import { kycAnswerRules } from '#contract/kyc-answer-rules.ts';
import { BIRTH_YEAR_PROBLEM, hasReachedAge, MAX_AGE_YEARS, KYC_ADDRESS } from '#contract/kyc.ts';
import { postalCodeProblem } from '#contract/postal-codes.ts';
import { problemOf, type TextRule } from '#contract/rules.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import type { Problems } from '#web/lib/form.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDate, typedDateProblem } from '#web/lib/typed-date.ts';
import { EMPLOYMENT_ANSWERS } from './answer-words.ts';

export type FlagField = 'pep' | 'dualCitizenship' | 'foreignTaxObligations';
/** The security answer is typed in words; only its hash is an answer of the application. */
export type TextField = Exclude<KycAnswerName, FlagField | 'securityAnswerHash'> | 'securityAnswer';

/** The answers as they are being typed: dates, choices and numbers are texts, '' while empty. */
export type AnswerValues = Record<TextField, string> & Record<FlagField, boolean>;
export type AnswerField = keyof AnswerValues;

const FLAGS = ['pep', 'dualCitizenship', 'foreignTaxObligations'] as const;
const DATES: readonly string[] = ['dateOfBirth', 'idExpiryDate'];
const TEXTS = [
  'fullName',
  'dateOfBirth',
  'gender',
  'nationality',
  ...KYC_ADDRESS,
  'phoneNumber',
  'email',
  'idType',
  'idNumber',
  'idExpiryDate',
  ...EMPLOYMENT_ANSWERS,
  'securityQuestion',
  'accountPurpose',
  'expectedMonthlyTxVolume',
] as const satisfies readonly TextField[];

/** The answer's name in the application. */
export function answerOf(field: AnswerField): KycAnswerName {
  return field === 'securityAnswer' ? 'securityAnswerHash' : field;
}

/** The field that an answer is typed in. */
export function fieldOf(name: KycAnswerName): AnswerField {
  return name === 'securityAnswerHash' ? 'securityAnswer' : name;
}

/** The saved answers as their fields show them. The security answer cannot be read back. */
export function valuesOf(answers: KycApplication['answers']): AnswerValues {
  const values: Record<string, string | boolean> = { securityAnswer: '' };
  for (const name of FLAGS) values[name] = answers[name] ?? false;
  for (const name of TEXTS) {
    const answer = answers[name];
    values[name] = answer === undefined ? '' : textOf(name, answer);
  }
  return values as AnswerValues;
}

function textOf(name: TextField, answer: string | number): string {
  return typeof answer === 'string' && DATES.includes(name) ? typedDate(answer) : String(answer);
}

const RULES: Partial<Record<AnswerField, TextRule>> = kycAnswerRules;

/**
 * The fault in the form of one answer that keeps it from being saved; nothing for an empty one.
 * The server refuses the same with the same words.
 */
export function formatProblem(field: AnswerField, value: string | boolean): string | undefined {
  if (typeof value === 'boolean') return undefined;
  const text = value.trim();
  if (text === '') return undefined;
  if (DATES.includes(field)) {
    return typedDateProblem(text);
  }
  const rule = RULES[field];
  return rule && problemOf(rule, text);
}

/** The day and the limits that dates of an application are checked against. */
export interface DateRules {
  /** The company's today, `2026-12-08`. */
  today: string;
  minAgeYears: number;
}

/**
 * The faults of the answers that were given. Missing answers are another matter: an
 * application may be left and come back to.
 */
export function checkAnswers(values: AnswerValues, rules: DateRules): Problems<AnswerValues> {
  const problems: Problems<AnswerValues> = {};
  for (const field of [...TEXTS, 'securityAnswer'] as const) {
    const problem = formatProblem(field, values[field]);
    if (problem !== undefined) problems[field] = problem;
  }
  const { country, postalCode } = values;
  const code = postalCode.trim() === '' ? undefined : postalCodeProblem(country, postalCode);
  if (code !== undefined && problems.postalCode === undefined) problems.postalCode = code;
  const born = parseTypedDate(values.dateOfBirth);
  const birth = born === undefined ? undefined : birthProblem(born, rules);
  if (birth !== undefined) problems.dateOfBirth = birth;
  const expiry = parseTypedDate(values.idExpiryDate);
  if (expiry !== undefined && expiry <= rules.today) {
    problems.idExpiryDate = 'This document has expired. Use one that is valid beyond today.';
  }
  return problems;
}

function birthProblem(born: string, { today, minAgeYears }: DateRules): string | undefined {
  if (hasReachedAge(born, MAX_AGE_YEARS, today)) return BIRTH_YEAR_PROBLEM;
  if (born >= today) return 'Enter a date in the past';
  if (hasReachedAge(born, minAgeYears, today)) return undefined;
  return `You have to be at least ${minAgeYears} years old`;
}
