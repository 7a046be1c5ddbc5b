import type { KycApplication, KycDocument } from '#contract/api.ts';
import {
  APPLICATION_DOCUMENT_TYPES,
  requiredFields,
  type ApplicationDocumentType,
  type ResubmissionItem,
} from '#contract/kyc.ts';
import type { KycAnswerName } from '#contract/routes/kyc-answers.ts';
import { EMPLOYMENT_ANSWERS, COMPLIANCE_ANSWERS } from '#web/features/kyc/answer-words.ts';

export interface WizardStep {
  title: string;
  /** Under the title. */
  line: string;
  /** The reviewer's name for it; the first and the last step are no section. */
  section?: Exclude<ResubmissionItem, ApplicationDocumentType>;
  answers: readonly KycAnswerName[];
  documents?: readonly ApplicationDocumentType[];
}

/** The eight steps of onboarding. */
export const WIZARD_STEPS: readonly WizardStep[] = [
  { title: 'Authentication', line: '', answers: [] },
  {
    title: 'Personal Information',
    line: 'As printed on your identity document.',
    section: 'personal',
    answers: ['fullName', 'dateOfBirth', 'gender', 'nationality'],
  },
  {
    title: 'Contact Details',
    line: 'Where you live, and how to reach you.',
    section: 'contact',
    answers: [
      'country',
      'addressLine1',
      'addressLine2',
      'city',
      'state',
      'postalCode',
      'phoneNumber',
      'email',
    ],
  },
  {
    title: 'Identification',
    line: 'Use a document that has not expired.',
    section: 'identification',
    answers: ['idType', 'idNumber', 'idExpiryDate'],
    documents: APPLICATION_DOCUMENT_TYPES,
  },
  {
    title: 'Employment & Income',
    line: 'Financial rules require us to ask where money comes from.',
    section: 'employment',
    answers: EMPLOYMENT_ANSWERS,
  },
  {
    title: 'Security Setup',
    line: 'We ask it to confirm your identity if you ever lose access.',
    section: 'security',
    answers: ['securityQuestion', 'securityAnswerHash'],
  },
  {
    title: 'Compliance & Risk',
    line: 'Financial rules require us to ask everyone these questions.',
    section: 'compliance',
    answers: COMPLIANCE_ANSWERS,
  },
  {
    title: 'Review & Submit',
    line: 'Check your answers. After you submit, the application can no longer be edited.',
    answers: [],
  },
];

export const FIRST_STEP = 2;
export const LAST_STEP = WIZARD_STEPS.length;

/** The step of that number, from 1. */
export function stepAt(number: number): WizardStep {
  const step = WIZARD_STEPS[number - 1];
  if (step === undefined) throw new RangeError(`no step ${number}`);
  return step;
}

/** The step that an address names; undefined for anything else. */
export function readStep(text: string | undefined): number | undefined {
  const number = Number(text);
  const isStep = Number.isInteger(number) && number >= FIRST_STEP && number <= LAST_STEP;
  return isStep ? number : undefined;
}

/** Address of that step; undefined for signing in, which the person has done. */
export function stepHref(number: number): string | undefined {
  return number < FIRST_STEP ? undefined : `/onboarding?step=${number}`;
}

/** The step that asks for that answer or image. */
export function stepAsking(name: KycAnswerName | ApplicationDocumentType): WizardStep {
  const step = WIZARD_STEPS.find(
    ({ answers, documents = [] }) =>
      answers.some((answer) => answer === name) || documents.some((type) => type === name),
  );
  if (step === undefined) throw new RangeError(`no step asks for ${name}`);
  return step;
}

/** @param country where the person lives, as far as it is known */
export function isRequired(name: KycAnswerName, country: string | undefined): boolean {
  const required: readonly KycAnswerName[] = requiredFields(country);
  return required.includes(name);
}

type Progress = Pick<
  KycApplication,
  'answered' | 'answers' | 'documents' | 'resubmissionItems' | 'status'
>;

/** True if nothing required is missing in that step; the last is complete once it is submitted. */
export function isStepComplete(
  number: number,
  { answered, answers, documents }: Pick<Progress, 'answered' | 'answers' | 'documents'>,
): boolean {
  if (number === LAST_STEP) return false;
  const step = stepAt(number);
  return (
    step.answers.every((name) => !isRequired(name, answers.country) || answered.includes(name)) &&
    (step.documents ?? []).every((type) => hasDocument(documents, type))
  );
}

/** True if that image is there and need not be replaced. */
export function hasDocument(
  documents: readonly Pick<KycDocument, 'type' | 'status'>[],
  type: ApplicationDocumentType,
): boolean {
  return documents.some((document) => document.type === type && document.status !== 'rejected');
}

/**
 * The step to resume at: the first that is not complete, or that a reviewer asked to correct; else the
 * last.
 */
export function firstOpenStep(progress: Progress): number {
  const numbers = WIZARD_STEPS.map((_, index) => index + 1);
  const open = numbers.find(
    (number) =>
      number >= FIRST_STEP &&
      (!isStepComplete(number, progress) || notesFor(number, progress).length > 0),
  );
  return open ?? LAST_STEP;
}

/** The reviewer's requests for that step and its images, while a resubmission is due. */
export function notesFor(
  number: number,
  { status, resubmissionItems }: Pick<Progress, 'status' | 'resubmissionItems'>,
): KycApplication['resubmissionItems'] {
  if (status !== 'resubmit_required') return [];
  const { section, documents = [] } = stepAt(number);
  return resubmissionItems.filter(
    ({ item }) => item === section || documents.some((type) => type === item),
  );
}

/** {@link notesFor} without those of images: faults of an image are shown with it. */
export function sectionNotes(
  number: number,
  application: Pick<Progress, 'status' | 'resubmissionItems'>,
): KycApplication['resubmissionItems'] {
  const { documents = [] } = stepAt(number);
  return notesFor(number, application).filter(({ item }) => !documents.some((it) => it === item));
}

/** Completeness of the application in percent: required answers and images count the same. */
export function completionPercent(
  application: Pick<Progress, 'answered' | 'answers' | 'documents'>,
): number {
  const { answers, documents } = application;
  const images = APPLICATION_DOCUMENT_TYPES.filter((type) => hasDocument(documents, type)).length;
  const total = requiredFields(answers.country).length + APPLICATION_DOCUMENT_TYPES.length;
  return Math.floor((100 * (countRequired(application) + images)) / total);
}

/** Count of required parts and of those that are there, as step 8 shows it. */
export function countRequired({
  answered,
  answers,
}: Pick<Progress, 'answered' | 'answers'>): number {
  return requiredFields(answers.country).filter((name) => answered.includes(name)).length;
}
