export const KYC_STATUSES = [
  'in_progress',
  'submitted',
  'in_review',
  'approved',
  'rejected',
  'resubmit_required',
] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

export type KycAction =
  | 'edit'
  | 'submit'
  | 'moveToReview'
  | 'approve'
  | 'reject'
  | 'requestResubmission'
  | 'startNew';

/** In which status of the application each action is legal (back-office spec, section 4). */
export const kycCan = {
  edit: ['in_progress', 'resubmit_required'],
  submit: ['in_progress', 'resubmit_required'],
  moveToReview: ['submitted', 'in_review'],
  approve: ['submitted', 'in_review'],
  reject: ['submitted', 'in_review'],
  requestResubmission: ['in_review'],
  startNew: ['rejected'],
} as const satisfies Record<KycAction, readonly KycStatus[]>;

/** What an admin did with an application; one row of its history each. */
export const KYC_DECISIONS = [
  'moved_to_review',
  'approved',
  'rejected',
  'resubmission_requested',
] as const;
export type KycDecision = (typeof KYC_DECISIONS)[number];

export const GENDERS = ['male', 'female', 'other', 'prefer_not_to_say'] as const;
export const COUNTRIES = ['US', 'CA', 'GB', 'AU', 'DE', 'FR', 'other'] as const;
export const ID_TYPES = ['passport', 'drivers_license', 'national_id', 'state_id'] as const;
export const EMPLOYMENT_STATUSES = [
  'employed_full_time',
  'employed_part_time',
  'self_employed',
  'unemployed',
  'student',
  'retired',
  'other',
] as const;
export const INCOME_RANGES = [
  'under_1000',
  '1000_2500',
  '2500_5000',
  '5000_10000',
  '10000_25000',
  '25000_50000',
  'over_50000',
] as const;
export const FUNDS_SOURCES = [
  'salary',
  'business_income',
  'investments',
  'inheritance',
  'pension',
  'savings',
  'gift',
  'other',
] as const;
export const SECURITY_QUESTIONS = [
  'first_pet',
  'childhood_street',
  'mothers_maiden',
  'first_car',
  'favorite_teacher',
  'birth_city',
] as const;
export const EXPECTED_VOLUMES = [
  1_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
] as const;

/** Everything an application must hold before it can be submitted (spec, section 5). */
export const KYC_REQUIRED_FIELDS = [
  'fullName',
  'dateOfBirth',
  'nationality',
  'addressLine1',
  'city',
  'state',
  'postalCode',
  'country',
  'phoneNumber',
  'email',
  'idType',
  'idNumber',
  'idExpiryDate',
  'employmentStatus',
  'occupation',
  'monthlyIncomeRange',
  'sourceOfFunds',
  'securityQuestion',
  'securityAnswerHash',
  'accountPurpose',
  'expectedMonthlyTxVolume',
] as const;
export type KycRequiredField = (typeof KYC_REQUIRED_FIELDS)[number];

/** Age an applicant has to have reached on the day of submission. */
export const KYC_MIN_AGE_YEARS = 18;

/**
 * Whether somebody born on `dateOfBirth` has reached `years` on `today`; both are `2026-12-08`. Who
 * is born on 29 February comes of age on 1 March of a common year.
 */
export function hasReachedAge(dateOfBirth: string, years: number, today: string): boolean {
  const [birthYear = '', ...monthAndDay] = dateOfBirth.split('-');
  const birthday = [String(Number(birthYear) + years).padStart(4, '0'), ...monthAndDay].join('-');
  return birthday <= today;
}
