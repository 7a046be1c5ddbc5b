import { describe, expect, test } from 'vitest';
import type { KycApplication } from '#contract/api.ts';
import { KYC_REQUIRED_FIELDS } from '#contract/kyc.ts';
import { kycAnswers } from '#contract/routes/kyc-answers.ts';
import {
  WIZARD_STEPS,
  completionPercent,
  firstOpenStep,
  isRequired,
  notesFor,
  sectionNotes,
  stepAsking,
} from './wizard-plan.ts';

type Progress = Parameters<typeof firstOpenStep>[0];

function progress(given: Partial<Progress> = {}): Progress {
  const documents = [{ type: 'id_front' }, { type: 'id_back' }] as KycApplication['documents'];
  const answered = [...KYC_REQUIRED_FIELDS];
  return {
    status: 'in_progress',
    answers: {},
    answered,
    documents,
    resubmissionItems: [],
    ...given,
  };
}

describe('the steps', () => {
  test('ask for every answer once', () => {
    const asked = WIZARD_STEPS.flatMap(({ answers }) => answers);
    expect(asked.toSorted()).toEqual(Object.keys(kycAnswers.shape).toSorted());
    expect(asked.filter((name) => isRequired(name, 'US'))).toHaveLength(21);
    expect(asked.filter((name) => isRequired(name, 'other'))).toHaveLength(20);
  });
});

describe('firstOpenStep', () => {
  test('is the first for a new application', () => {
    expect(firstOpenStep(progress({ answered: [], documents: [] }))).toBe(2);
  });

  test('is the one with something missing', () => {
    const answered = KYC_REQUIRED_FIELDS.filter((name) => name !== 'occupation');
    expect(firstOpenStep(progress({ answered }))).toBe(5);
    expect(firstOpenStep(progress({ documents: [] }))).toBe(4);
  });

  test('is the one with an image that was rejected', () => {
    const [front] = progress().documents;
    const documents = [front, { type: 'id_back', status: 'rejected' }] as Progress['documents'];
    expect(firstOpenStep(progress({ documents }))).toBe(4);
  });

  test('is the last when all is there', () => {
    expect(firstOpenStep(progress())).toBe(8);
  });

  test('is the one a reviewer asked to correct', () => {
    const asked = progress({
      status: 'resubmit_required',
      resubmissionItems: [{ item: 'id_back', note: 'It is cut off.' }],
    });
    expect(firstOpenStep(asked)).toBe(4);
    expect(notesFor(4, asked)).toHaveLength(1);
    expect(notesFor(4, { ...asked, status: 'in_progress' })).toEqual([]);
  });
});

test('a fault of an image is not repeated over the step that shows it', () => {
  const asked = progress({
    status: 'resubmit_required',
    resubmissionItems: [
      { item: 'identification', note: 'The number is not readable.' },
      { item: 'id_back', note: 'It is cut off.' },
    ],
  });
  expect(sectionNotes(4, asked).map(({ item }) => item)).toEqual(['identification']);
});

test('every required answer is asked for by a step', () => {
  for (const name of KYC_REQUIRED_FIELDS) expect(stepAsking(name).answers).toContain(name);
});

test('completion counts what is there, on every step alike', () => {
  expect(completionPercent(progress())).toBe(100);
  expect(
    completionPercent(progress({ answered: ['fullName', 'email', 'city'], documents: [] })),
  ).toBe(13);
  const rejected = [{ type: 'id_front' }, { type: 'id_back', status: 'rejected' }];
  const documents = rejected as KycApplication['documents'];
  expect(completionPercent(progress({ documents }))).toBe(95);
});
