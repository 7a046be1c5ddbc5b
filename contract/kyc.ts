import { addMonths } from './calendar.ts';
import { needsPostalCode } from './postal-codes.ts';
import { KYC_DOCUMENT_STATUSES, KYC_STATUSES } from './statuses.ts';
import { application } from './things/application.ts';
import { document } from './things/document.ts';
import { legalIn } from './things/thing.ts';

export { KYC_DOCUMENT_STATUSES, KYC_STATUSES };
export type KycStatus = (typeof KYC_STATUSES)[number];

/** Statuses of the application in which each act is legal (docs/rules.md, "Application"). */
export const kycCan = {
  ...legalIn(application),
  ask: ['in_progress', 'rejected', 'resubmit_required'],
} as const;

/** Decisions of an admin about an application. */
export const KYC_DECISIONS = [
  'moved_to_review',
  'approved',
  'rejected',
  'resubmission_requested',
] as const;
export type KycDecision = (typeof KYC_DECISIONS)[number];

/** Events of an application. Each is a row of its history. */
export const KYC_EVENTS = [
  'submitted',
  ...KYC_DECISIONS,
  'name_changed',
  'address_corrected',
] as const;
export type KycEvent = (typeof KYC_EVENTS)[number];

/** The answers that are an address, in the order in which it is written. */
export const KYC_ADDRESS = [
  'addressLine1',
  'addressLine2',
  'city',
  'state',
  'postalCode',
  'country',
] as const;

/** The two images of the identity document that belong to an application. */
export const APPLICATION_DOCUMENT_TYPES = ['id_front', 'id_back'] as const;
export type ApplicationDocumentType = (typeof APPLICATION_DOCUMENT_TYPES)[number];

/** The three documents of the wallet verification profile. */
export const WALLET_DOCUMENT_TYPES = [
  'government_id',
  'proof_of_address',
  'social_security',
] as const;
export type WalletDocumentType = (typeof WALLET_DOCUMENT_TYPES)[number];

export const KYC_DOCUMENT_TYPES = [
  ...APPLICATION_DOCUMENT_TYPES,
  ...WALLET_DOCUMENT_TYPES,
] as const;
export type KycDocumentType = (typeof KYC_DOCUMENT_TYPES)[number];

export const KYC_DOCUMENT_LABELS = {
  id_front: 'Front of ID',
  id_back: 'Back of ID',
  government_id: 'Government ID',
  proof_of_address: 'Proof of Address',
  social_security: 'Social Security',
} as const satisfies Record<KycDocumentType, string>;

/** Age in months that a proof of address may have when it is uploaded. */
export const PROOF_OF_ADDRESS_MONTHS = 3;

/** The earliest day of issue that a proof of address may have on `today`; both are `2026-12-08`. */
export function proofOfAddressFrom(today: string): string {
  return addMonths(today, -PROOF_OF_ADDRESS_MONTHS);
}

/**
 * The refusal of a document's date of issue; null where there is none.
 *
 * @param today of the company, like `issuedOn` as `2026-12-08`
 */
export function issueDateRefusal(
  type: KycDocumentType,
  issuedOn: string | undefined,
  today: string,
): 'issue_date_needed' | 'issue_date_future' | 'document_too_old' | null {
  if (type !== 'proof_of_address') return null;
  if (issuedOn === undefined) return 'issue_date_needed';
  if (issuedOn > today) return 'issue_date_future';
  return issuedOn < proofOfAddressFrom(today) ? 'document_too_old' : null;
}

/** Names of the personal data that an admin can open. */
export const ACCESSED_LABELS = {
  ...KYC_DOCUMENT_LABELS,
  application: 'Application',
  verification: 'Verification documents',
  bank_account: 'Bank account number',
  payee: 'Account number of a payee',
  check: 'Photograph of a check',
  payslip: 'Payslip',
  statement: 'Statement',
} as const;

export type KycDocumentStatus = (typeof KYC_DOCUMENT_STATUSES)[number];

const { startReview, approve, reject } = legalIn(document);
/** Statuses of a document in which each act is legal. */
export const kycDocumentCan = { startReview, approve, reject };

/** Statuses of the wallet verification profile, computed from its three documents. */
export const VERIFICATION_STATUSES = [
  'not_started',
  'pending',
  'under_review',
  'verified',
  'rejected',
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** Items that a reviewer can request again: a step of the wizard, or an image. */
export const RESUBMISSION_ITEMS = [
  'personal',
  'contact',
  'identification',
  'employment',
  'security',
  'compliance',
  ...APPLICATION_DOCUMENT_TYPES,
] as const;
export type ResubmissionItem = (typeof RESUBMISSION_ITEMS)[number];

export const RESUBMISSION_ITEM_LABELS = {
  personal: 'Personal Information',
  contact: 'Contact Details',
  identification: 'Identification',
  employment: 'Employment & Income',
  security: 'Security Setup',
  compliance: 'Compliance & Risk',
  id_front: KYC_DOCUMENT_LABELS.id_front,
  id_back: KYC_DOCUMENT_LABELS.id_back,
} as const satisfies Record<ResubmissionItem, string>;

/** Kinds of items in the review queue: an application, or a person's wallet documents. */
export const REVIEW_KINDS = ['application', 'documents'] as const;
export type ReviewKind = (typeof REVIEW_KINDS)[number];

/**
 * Statuses of an item of the review queue. Wallet documents are `submitted` while one waits,
 * `in_review` while an admin has taken one up, `approved` when the profile is verified.
 */
export const REVIEW_STATUSES = [
  'submitted',
  'in_review',
  'resubmit_required',
  'approved',
  'rejected',
] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** Status of a row of the review list, which also has the applications that nobody submitted yet. */
export const LISTED_STATUSES = ['in_progress', ...REVIEW_STATUSES] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** Statuses in which an item of the queue waits for an admin. */
export const WAITING_REVIEW_STATUSES = [
  'submitted',
  'in_review',
] as const satisfies readonly ReviewStatus[];

export function isWaiting(status: ListedStatus | null): boolean {
  return WAITING_REVIEW_STATUSES.some((one) => one === status);
}

/** Data that two people may share. It is shown to the reviewer and never causes an act by itself. */
export const DUPLICATE_SIGNALS = ['id_number', 'phone', 'address', 'image'] as const;
export type DuplicateSignal = (typeof DUPLICATE_SIGNALS)[number];

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
/** 5 MB (docs/rules.md, "Documents"). */
export const MAX_IMAGE_BYTES = 5_242_880;
export const MAX_IMAGE_PIXELS = 50_000_000;
export const DOCUMENT_LINK_LIFE_S = 3_600;
/** A reviewer's hold on an item of the queue ends this long after its last renewal. */
export const CLAIM_LIFE_S = 120;
export const CLAIM_RENEWAL_S = 45;

/** Age in years that the company may ask of an applicant. */
export const MIN_AGE_YEARS = {
  least: 14,
  most: 25,
  problem: 'Enter an age from 14 to 25 years',
} as const;
/** Nobody alive is older: a birthday before that has a slip in its year. */
export const MAX_AGE_YEARS = 130;
export const BIRTH_YEAR_PROBLEM = 'Check the year';
/** Days that rejected or closed material may be kept: a month to ten years. */
export const RETENTION_DAYS = {
  least: 30,
  most: 3_650,
  problem: 'Enter a number of days from 30 to 3650',
} as const;

export const GENDERS = ['male', 'female', 'other', 'prefer_not_to_say'] as const;
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

/** Everything an application must hold before it can be submitted; see {@link requiredFields}. */
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

/** Answers that are required of a person who lives in that country: not everywhere are postal codes. */
export function requiredFields(country: string | undefined): readonly KycRequiredField[] {
  if (needsPostalCode(country)) return KYC_REQUIRED_FIELDS;
  return KYC_REQUIRED_FIELDS.filter((name) => name !== 'postalCode');
}

/** Messages of a refused submission for a missing answer and a missing image. */
export const ANSWER_MISSING = 'This answer is required';
export const IMAGE_MISSING = 'This image is required';

/** The twelve answers that count for completion on the KYC Status page (docs/rules.md, "Documents"). */
const STATUS_PAGE_FIELDS: readonly string[] = [
  'fullName',
  'email',
  'phoneNumber',
  'dateOfBirth',
  'addressLine1',
  'city',
  'state',
  'postalCode',
  'country',
  'idType',
  'idNumber',
  'employmentStatus',
];

/**
 * Completion in percent on the KYC status page: 70% for the share of the twelve answers, 30% for the
 * wallet documents out of three (docs/rules.md, "Documents").
 *
 * @param country where the person lives: a postal code that is not required there counts as given
 * @param walletDocuments how many of the three are there; the two of the application do not count
 */
export function statusPageCompletion(
  answered: readonly string[],
  country: string | undefined,
  walletDocuments: number,
): number {
  const isFilled = (name: string) =>
    answered.includes(name) || (name === 'postalCode' && !needsPostalCode(country));
  const filled = STATUS_PAGE_FIELDS.filter(isFilled).length;
  return Math.round(
    (70 * filled) / STATUS_PAGE_FIELDS.length +
      (30 * walletDocuments) / WALLET_DOCUMENT_TYPES.length,
  );
}

/**
 * True if a person born on `dateOfBirth` has reached `years` on `today`; both are `2026-12-08`. Who
 * is born on 29 February comes of age on 1 March of a common year.
 */
export function hasReachedAge(dateOfBirth: string, years: number, today: string): boolean {
  const [birthYear = '', ...monthAndDay] = dateOfBirth.split('-');
  const birthday = [String(Number(birthYear) + years).padStart(4, '0'), ...monthAndDay].join('-');
  return birthday <= today;
}
