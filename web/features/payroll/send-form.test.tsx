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

/** The form as a company of that currency has it. */
function markupIn(currency: Currency): string {
  const company = { name: 'Tallis & Reed', currency, timeZone: 'America/New_York' };
  return renderToStaticMarkup(
    <CompanyContext value={company}>
      <Form />
    </CompanyContext>,
  );
}

test.each(CURRENCIES)('an amount is typed in the company’s currency: %s', (currency) => {
  const markup = markupIn(currency);
  for (const other of CURRENCIES) {
    expect(markup.includes(currencySymbol(other)), other).toBe(other === currency);
  }
});
