import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Clipped } from './clipped.tsx';

const isKeptWhole = (text: string) =>
  renderToStaticMarkup(<Clipped>{text}</Clipped>).includes('clipped--short');

test.each([
  ['KBC ••7034', true],
  ['Cascade Federal Credit Union ••2208', false],
  ['First Bank', true],
  ['First Bank of the Valley', false],
])('%s is as wide as its words: %s', (text, expected) => {
  expect(isKeptWhole(text)).toBe(expected);
});
