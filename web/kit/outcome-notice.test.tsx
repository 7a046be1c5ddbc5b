import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { errorStatus, type ErrorCode } from '#contract/errors.ts';
import { ApiError, UnknownOutcomeError } from '#web/api/client.ts';
import { isOutcomeUnknown } from '#web/api/money-mutation.ts';
import { OutcomeNotice } from './outcome-notice.tsx';

const words = { what: 'your request', where: 'under Pending Deposits' };

test('an unknown outcome says so, and where it will be known', () => {
  const markup = renderToStaticMarkup(<OutcomeNotice {...words} isSending={false} isUnknown />);
  expect(markup).toContain('We can’t tell whether your request went through.');
  expect(markup).toContain('look under Pending Deposits first');
});

test('nothing is said before it was sent, nor while it is sent again', () => {
  expect(
    renderToStaticMarkup(<OutcomeNotice {...words} isSending={false} isUnknown={false} />),
  ).toBe('');
  expect(renderToStaticMarkup(<OutcomeNotice {...words} isSending isUnknown />)).toBe('');
});

test.each<[ErrorCode, boolean]>([
  ['insufficient_funds', false],
  ['internal', false],
  ['unavailable', true],
])('a refusal of %s leaves the outcome unknown: %s', (code, isUnknown) => {
  const status = errorStatus(code);
  const error = new ApiError({ type: '', title: '', status, code, requestId: '' });
  expect(isOutcomeUnknown(error)).toBe(isUnknown);
});

test('without an answer the outcome is unknown', () => {
  expect(isOutcomeUnknown(new UnknownOutcomeError('lost'))).toBe(true);
  expect(isOutcomeUnknown(null)).toBe(false);
});
