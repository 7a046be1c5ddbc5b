import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Select } from './select.tsx';

const OPTIONS = [
  { value: 'bank', label: 'Cascade Federal Credit Union, checking ••2208' },
  { value: 'none', label: 'No account' },
];

const markupOf = (value: string) =>
  renderToStaticMarkup(
    <Select
      name="bankAccountId"
      label="Destination Bank"
      value={value}
      options={OPTIONS}
      onChange={() => undefined}
    />,
  );

test('an account that is chosen is drawn in two parts, of which the ending is never cut', () => {
  expect(markupOf('bank')).toMatch(
    /aria-hidden="true".*>Cascade Federal Credit Union, checking<.*> ••2208<.*<\/svg>/s,
  );
});

test('other options are drawn by the browser', () => {
  expect(markupOf('none')).not.toContain('select__drawn');
  expect(markupOf('')).not.toContain('select__drawn');
});
