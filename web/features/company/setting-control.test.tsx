import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SettingControl } from './setting-control.tsx';

const markupOf = (currency: 'USD' | 'EUR' | 'GBP') =>
  renderToStaticMarkup(
    <SettingControl
      name="offersAch"
      typed={true}
      currency={currency}
      error={undefined}
      onChange={() => undefined}
    />,
  );

test('a box has the words of the company’s currency', () => {
  expect(markupOf('USD')).toContain('Needs the receiving routing and account number.');
  expect(markupOf('GBP')).toContain('Needs the receiving sort code and account number.');
  expect(markupOf('EUR')).toContain('Needs the receiving IBAN.');
  expect(markupOf('EUR')).toContain('SEPA transfer');
});
