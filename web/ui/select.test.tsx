import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Select } from './select.tsx';

const OPTIONS = [
  { value: 'salary', label: 'Salary Wallet' },
  { value: 'savings', label: 'Savings Account' },
];
const chosenIn = (markup: string) => /<option[^>]*selected=""[^>]*>([^<]*)/.exec(markup)?.[1];
const draw = (value: string, placeholder?: string) =>
  renderToStaticMarkup(
    <Select
      name="toWalletId"
      label="To Account"
      value={value}
      onChange={() => undefined}
      options={OPTIONS}
      placeholder={placeholder}
    />,
  );

test('marks no option as selected without a value', () => {
  expect(chosenIn(draw('', 'Choose an account'))).toBe('Choose an account');
  expect(chosenIn(draw(''))).toBe('');
  expect(chosenIn(draw('gone'))).toBe('');
});

test('marks the option of the value as selected', () => {
  expect(chosenIn(draw('savings'))).toBe('Savings Account');
  expect(draw('savings')).not.toContain('value=""');
});
