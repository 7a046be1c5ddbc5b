import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ANSWER_MISSING, IMAGE_MISSING } from '#contract/kyc.ts';
import { ApiError } from '#web/api/client.ts';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { problemsOf } from './use-submit.ts';

function refusal(errors: { path: string; message: string }[]): ApiError {
  return new ApiError({
    type: '',
    title: 'The application is not complete',
    status: 422,
    code: 'application_incomplete',
    requestId: '',
    errors,
  });
}

const PROBLEMS = problemsOf(
  refusal([
    { path: 'fullName', message: ANSWER_MISSING },
    { path: 'occupation', message: ANSWER_MISSING },
    { path: 'dateOfBirth', message: 'Enter a date in the past' },
    { path: 'id_back', message: IMAGE_MISSING },
  ]),
);

test('a missing answer is named once, under the step that asks for it', () => {
  expect(PROBLEMS).toEqual([
    { name: 'fullName', message: 'Full Name', section: 'Personal Information' },
    { name: 'occupation', message: 'Occupation', section: 'Employment & Income' },
    {
      name: 'dateOfBirth',
      message: 'Date of Birth: Enter a date in the past',
      section: 'Personal Information',
    },
    { name: 'id_back', message: 'Back of ID', section: 'Identification' },
  ]);
});

test('the summary has each section once, with its lines together', () => {
  const markup = renderToStaticMarkup(
    <FormSummary title="Please complete these before you submit" problems={PROBLEMS} attempt={1} />,
  );
  expect(markup.match(/summary__section/g)).toHaveLength(3);
  expect(markup).toMatch(/Personal Information.*Full Name.*Date of Birth: Enter.*Employment/);
});

test('problems without a section stand under none', () => {
  const markup = renderToStaticMarkup(
    <FormSummary title="Check" problems={[{ name: 'a', message: 'Enter A' }]} attempt={1} />,
  );
  expect(markup).not.toContain('summary__section');
});
