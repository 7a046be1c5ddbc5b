import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MAX_CHOSEN_PAYOUTS } from '#contract/limits.ts';
import { chosenPayouts } from '#contract/routes/common.ts';
import { PayoutDetailsButton } from './payout-details.tsx';

test.each([
  [MAX_CHOSEN_PAYOUTS, true],
  [MAX_CHOSEN_PAYOUTS + 1, false],
])('bank details of %i payouts are offered as far as the server shows them', (count, isShown) => {
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  expect(chosenPayouts.safeParse({ ids }).success).toBe(isShown);
  const markup = renderToStaticMarkup(<PayoutDetailsButton count={count} onPress={() => {}} />);
  expect(markup.includes('Select at most 100 to see bank details')).toBe(!isShown);
});
