import { expect, test } from 'vitest';
import type { Verification } from '#contract/api.ts';
import { verificationMessage } from './verification-words.ts';

test('a person who has not begun reads the purpose of the three documents, and that nothing waits for them', () => {
  const message = verificationMessage({
    status: 'not_started',
    documents: [],
  } as unknown as Verification);
  expect(message).toContain('company’s records');
  expect(message).toContain('Withdrawing needs only your identity check');
  expect(message).toContain('which is separate');
});
