import { expect, test } from 'vitest';
import { sendingWords } from './words.ts';

test('says when money moves: after the time to stop it, or on the pay date', () => {
  const preview = { cancelSeconds: 60 };
  const after = 'Money moves 60 seconds after you confirm. You can stop the payroll until then.';
  expect(sendingWords(preview, null, '2026-12-08')).toBe(after);
  expect(sendingWords(preview, '2026-12-08', '2026-12-08')).toBe(after);
  expect(sendingWords(preview, '2026-12-11', '2026-12-08')).toBe(
    'Money reaches wallets on Fri, Dec 11 from 6:00 AM. You can stop the payroll until then.',
  );
  expect(sendingWords(undefined, null, '2026-12-08')).toBe('');
});
