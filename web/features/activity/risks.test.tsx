import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RISK_KINDS } from '#contract/waiting.ts';
import { CompanyContext, type Company } from '#web/lib/company.ts';
import { RiskList } from './risks.tsx';

const COMPANY = { name: 'Tallis & Reed', timeZone: 'America/New_York' } as Company;

function markupOf(items: Parameters<typeof RiskList>[0]['items']): string {
  return renderToStaticMarkup(
    <CompanyContext value={COMPANY}>
      <RiskList items={items} onShow={() => {}} />
    </CompanyContext>,
  );
}

test.each(RISK_KINDS)('%s has a name and a link that fixes it', (kind) => {
  const markup = markupOf([{ kind, count: 1, since: null }]);
  expect(markup).toMatch(/class="strong">[^<]+</);
  expect(markup).toMatch(/href="\/admin\/|<button/);
});

test('counts people, and shows times in the company’s zone', () => {
  const markup = markupOf([
    { kind: 'adminsWithoutTwoFactor', count: 2, since: null },
    { kind: 'unsealedTail', count: 1, since: '2026-12-08T15:03:00.000Z' },
  ]);
  expect(markup).toContain('2 administrators without two-factor');
  expect(markup).toContain('Dec 8, 10:03 AM');
});

test('says that there are no risks', () => {
  expect(markupOf([])).toContain('No open risks');
});
