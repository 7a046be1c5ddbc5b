import type { KycApplication } from '#contract/api.ts';
import { COUNTRIES } from '#contract/postal-codes.ts';
import {
  EMPLOYMENT_STATUSES,
  EXPECTED_VOLUMES,
  FUNDS_SOURCES,
  GENDERS,
  ID_TYPES,
  INCOME_RANGES,
  SECURITY_QUESTIONS,
} from '#contract/kyc.ts';
import { currencySymbol, type Currency } from '#contract/money.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import { formatCount, formatDay } from '#web/lib/format.ts';
import type { SelectOption } from '#web/ui/select.tsx';

/** Answers about employment and income. */
export const EMPLOYMENT_ANSWERS = [
  'employmentStatus',
  'employerName',
  'occupation',
  'monthlyIncomeRange',
  'sourceOfFunds',
] as const;

/** Answers about risk. */
export const COMPLIANCE_ANSWERS = [
  'pep',
  'dualCitizenship',
  'foreignTaxObligations',
  'accountPurpose',
  'expectedMonthlyTxVolume',
] as const;

/** The label of each answer's field. */
export const ANSWER_LABELS = {
  fullName: 'Full Name',
  dateOfBirth: 'Date of Birth',
  gender: 'Gender',
  nationality: 'Nationality',
  addressLine1: 'Address Line 1',
  addressLine2: 'Address Line 2',
  city: 'City',
  state: 'State',
  postalCode: 'Postal Code',
  country: 'Country',
  phoneNumber: 'Phone Number',
  email: 'Email',
  idType: 'ID Type',
  idNumber: 'ID Number',
  idExpiryDate: 'ID Expiry Date',
  employmentStatus: 'Employment Status',
  employerName: 'Employer Name',
  occupation: 'Occupation',
  monthlyIncomeRange: 'Monthly Income Range',
  sourceOfFunds: 'Source of Funds',
  securityQuestion: 'Security Question',
  securityAnswerHash: 'Security Answer',
  pep: 'Politically exposed, last 12 months',
  dualCitizenship: 'Dual citizenship',
  foreignTaxObligations: 'Foreign tax obligations',
  accountPurpose: 'Account Purpose',
  expectedMonthlyTxVolume: 'Expected Monthly Volume',
} as const satisfies Record<KycAnswerName, string>;

type IncomeRange = (typeof INCOME_RANGES)[number];

type Words<Value extends string> = Record<Value, string>;

const GENDER_WORDS: Words<(typeof GENDERS)[number]> = {
  male: 'Male',
  female: 'Female',
  other: 'Other',
  prefer_not_to_say: 'Prefer not to say',
};

const COUNTRY_WORDS: Words<(typeof COUNTRIES)[number]> = {
  US: 'United States',
  CA: 'Canada',
  GB: 'United Kingdom',
  AU: 'Australia',
  DE: 'Germany',
  FR: 'France',
  other: 'Other',
};

const ID_TYPE_WORDS: Words<(typeof ID_TYPES)[number]> = {
  passport: 'Passport',
  drivers_license: 'Driver’s license',
  national_id: 'National ID',
  state_id: 'State ID',
};

const EMPLOYMENT_WORDS: Words<(typeof EMPLOYMENT_STATUSES)[number]> = {
  employed_full_time: 'Employed full time',
  employed_part_time: 'Employed part time',
  self_employed: 'Self-employed',
  unemployed: 'Unemployed',
  student: 'Student',
  retired: 'Retired',
  other: 'Other',
};

/** Lowest and highest amount of each range, in whole units of the company's currency; null where open. */
const INCOME_BOUNDS: Record<IncomeRange, readonly [from: number | null, to: number | null]> = {
  under_1000: [null, 1_000],
  '1000_2500': [1_000, 2_500],
  '2500_5000': [2_500, 5_000],
  '5000_10000': [5_000, 10_000],
  '10000_25000': [10_000, 25_000],
  '25000_50000': [25_000, 50_000],
  over_50000: [50_000, null],
};

/** "$1,000 – $2,500", in the currency of the company. */
function incomeText(range: IncomeRange, currency: Currency): string {
  const [from, to] = INCOME_BOUNDS[range];
  if (from === null) return `Under ${wholeText(to ?? 0, currency)}`;
  if (to === null) return `Over ${wholeText(from, currency)}`;
  return `${wholeText(from, currency)} – ${wholeText(to, currency)}`;
}

/** An amount in whole units: "$10,000". */
function wholeText(units: number, currency: Currency): string {
  return `${currencySymbol(currency)}${formatCount(units)}`;
}

const FUNDS_WORDS: Words<(typeof FUNDS_SOURCES)[number]> = {
  salary: 'Salary',
  business_income: 'Business income',
  investments: 'Investments',
  inheritance: 'Inheritance',
  pension: 'Pension',
  savings: 'Savings',
  gift: 'Gift',
  other: 'Other',
};

const QUESTION_WORDS: Words<(typeof SECURITY_QUESTIONS)[number]> = {
  first_pet: 'What was the name of your first pet?',
  childhood_street: 'What street did you grow up on?',
  mothers_maiden: 'What is your mother’s maiden name?',
  first_car: 'What was your first car?',
  favorite_teacher: 'Who was your favorite teacher?',
  birth_city: 'In which city were you born?',
};

function options<Value extends string>(
  values: readonly Value[],
  words: Words<Value>,
): SelectOption<Value>[] {
  return values.map((value) => ({ value, label: words[value] }));
}

export const GENDER_OPTIONS = options(GENDERS, GENDER_WORDS);
export const COUNTRY_OPTIONS = options(COUNTRIES, COUNTRY_WORDS);
export const ID_TYPE_OPTIONS = options(ID_TYPES, ID_TYPE_WORDS);
export const EMPLOYMENT_OPTIONS = options(EMPLOYMENT_STATUSES, EMPLOYMENT_WORDS);
export const FUNDS_OPTIONS = options(FUNDS_SOURCES, FUNDS_WORDS);
export const QUESTION_OPTIONS = options(SECURITY_QUESTIONS, QUESTION_WORDS);

/** Ranges of monthly income in the currency of the company. */
export function incomeOptions(currency: Currency): SelectOption<IncomeRange>[] {
  return INCOME_RANGES.map((value) => ({ value, label: incomeText(value, currency) }));
}

/** Expected amounts a month in the currency of the company. */
export function volumeOptions(currency: Currency): SelectOption[] {
  return EXPECTED_VOLUMES.map((units) => ({
    value: String(units),
    label: wholeText(units, currency),
  }));
}

/** Answers that are amounts, without their currency. */
type AmountAnswer = 'monthlyIncomeRange' | 'expectedMonthlyTxVolume';

type Answered = Pick<KycApplication, 'answers' | 'answered'>;

/** An answer in words, as it is read back to people; undefined where none was given. */
export function answerText(
  application: Answered,
  name: KycAnswerName,
  currency: Currency,
): string | undefined {
  const { monthlyIncomeRange, expectedMonthlyTxVolume } = application.answers;
  switch (name) {
    case 'monthlyIncomeRange':
      return monthlyIncomeRange && incomeText(monthlyIncomeRange, currency);
    case 'expectedMonthlyTxVolume':
      return expectedMonthlyTxVolume && wholeText(expectedMonthlyTxVolume, currency);
    default:
      return wordsOfAnswer(application, name);
  }
}

/** {@link answerText} of an answer that is no amount. */
export function wordsOfAnswer(
  { answers, answered }: Answered,
  name: Exclude<KycAnswerName, AmountAnswer>,
): string | undefined {
  const lookUp = <Value extends string>(words: Words<Value>, value: Value | undefined) =>
    value === undefined ? undefined : words[value];
  switch (name) {
    case 'gender':
      return lookUp(GENDER_WORDS, answers.gender);
    case 'nationality':
    case 'country':
      return lookUp(COUNTRY_WORDS, answers[name]);
    case 'idType':
      return lookUp(ID_TYPE_WORDS, answers.idType);
    case 'employmentStatus':
      return lookUp(EMPLOYMENT_WORDS, answers.employmentStatus);
    case 'sourceOfFunds':
      return lookUp(FUNDS_WORDS, answers.sourceOfFunds);
    case 'securityQuestion':
      return lookUp(QUESTION_WORDS, answers.securityQuestion);
    case 'securityAnswerHash':
      return answered.includes(name) ? 'Set, never shown' : undefined;
    case 'dateOfBirth':
    case 'idExpiryDate': {
      const day = answers[name];
      return day === undefined ? undefined : formatDay(day, 'date');
    }
    case 'pep':
    case 'dualCitizenship':
    case 'foreignTaxObligations':
      return answers[name] === true ? 'Yes' : 'No';
    default:
      return answers[name];
  }
}
