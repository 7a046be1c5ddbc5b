import type { KycApplication } from '#contract/api.ts';
import {
  COUNTRIES,
  EMPLOYMENT_STATUSES,
  EXPECTED_VOLUMES,
  FUNDS_SOURCES,
  GENDERS,
  ID_TYPES,
  INCOME_RANGES,
  SECURITY_QUESTIONS,
} from '#contract/kyc.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import { formatDay } from '#web/lib/format.ts';
import { formatCount } from '#web/lib/format.ts';
import type { SelectOption } from '#web/ui/select.tsx';

/** What each answer is called on its field. */
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

const INCOME_WORDS: Words<(typeof INCOME_RANGES)[number]> = {
  under_1000: 'Under $1,000',
  '1000_2500': '$1,000 – $2,500',
  '2500_5000': '$2,500 – $5,000',
  '5000_10000': '$5,000 – $10,000',
  '10000_25000': '$10,000 – $25,000',
  '25000_50000': '$25,000 – $50,000',
  over_50000: 'Over $50,000',
};

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
export const INCOME_OPTIONS = options(INCOME_RANGES, INCOME_WORDS);
export const FUNDS_OPTIONS = options(FUNDS_SOURCES, FUNDS_WORDS);
export const QUESTION_OPTIONS = options(SECURITY_QUESTIONS, QUESTION_WORDS);
export const VOLUME_OPTIONS: SelectOption[] = EXPECTED_VOLUMES.map((dollars) => ({
  value: String(dollars),
  label: dollarsText(dollars),
}));

/** Whole dollars: "$10,000". */
function dollarsText(dollars: number): string {
  return `$${formatCount(dollars)}`;
}

/** An answer in words, as it is read back to people; undefined where none was given. */
export function answerText(
  { answers, answered }: Pick<KycApplication, 'answers' | 'answered'>,
  name: KycAnswerName,
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
    case 'monthlyIncomeRange':
      return lookUp(INCOME_WORDS, answers.monthlyIncomeRange);
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
    case 'expectedMonthlyTxVolume': {
      const dollars = answers.expectedMonthlyTxVolume;
      return dollars === undefined ? undefined : dollarsText(dollars);
    }
    default:
      return answers[name];
  }
}
