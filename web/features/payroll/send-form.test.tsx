import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CURRENCIES, currencySymbol, type Currency } from '#contract/money.ts';
import { CompanyContext } from '#web/lib/company.ts';
import { usePayrollForm } from './payroll-form.ts';
import { SendForm } from './send-form.tsx';

function Form() {
  return (
    <SendForm id="send" payroll={usePayrollForm()} preview={undefined} onSubmit={() => undefined} />
  );
}

/** Markup of the form for a company with that currency. */
function markupIn(currency: Currency): string {
  const company = { name: 'Tallis & Reed', currency, timeZone: 'America/New_York' };
  return renderToStaticMarkup(
    <CompanyContext value={company}>
      <Form />
    </CompanyContext>,
  );
}

test.each(CURRENCIES)('the amount field shows the company’s currency: %s', (currency) => {
  const markup = markupIn(currency);
  for (const other of CURRENCIES) {
    expect(markup.includes(currencySymbol(other)), other).toBe(other === currency);
  }
});
