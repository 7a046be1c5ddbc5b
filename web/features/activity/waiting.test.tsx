import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CompanyContext, type Company } from '#web/lib/company.ts';
import { WaitingList } from './waiting.tsx';

const COMPANY = { name: 'Tallis & Reed', timeZone: 'America/New_York' } as Company;
const AT = '2026-12-08T15:03:00.000Z';

function markupOf(items: Parameters<typeof WaitingList>[0]['items']): string {
  return renderToStaticMarkup(
    <CompanyContext value={COMPANY}>
      <WaitingList items={items} batches={[]} drawBatch={() => null} />
    </CompanyContext>,
  );
}

test('links each kind to its screen, and shows the age of the oldest one', () => {
  const markup = markupOf([{ kind: 'payoutsToSend', mine: 2, others: 0, oldestAt: AT }]);
  expect(markup).toContain('href="/admin/withdrawals?status=approved"');
  expect(markup).toContain('Withdrawals to send');
  expect(markup).toContain(
    'Oldest: </text-part><time dateTime="2026-12-08T15:03:00.000Z">Dec 8, 10:03 AM',
  );
  expect(markup).not.toContain('another administrator');
});

test('separates items for another admin from the caller’s own', () => {
  const markup = markupOf([{ kind: 'payrolls', mine: 0, others: 1, oldestAt: AT }]);
  expect(markup.replaceAll(/<[^>]*>/g, '')).toContain('10:03 AM. 1 needs another administrator');
});

test.each([
  [1, '1 needs another administrator'],
  [1_000, '1,000 or more need another administrator'],
])('says that %s must be decided by another admin', (others, words) => {
  const markup = markupOf([{ kind: 'payrolls', mine: 0, others, oldestAt: null }]);
  expect(markup).toContain(words);
  expect(markup).not.toContain('Oldest');
});

test('explains the list if nothing is waiting', () => {
  expect(markupOf([])).toContain('Nothing waits for you');
});
