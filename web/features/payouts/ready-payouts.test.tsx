import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { CompanyContext, type Company } from '#web/lib/company.ts';
import { ReadyPayouts } from './ready-payouts.tsx';

type Payouts = RouteReply<'adminGetPayouts'>;

const COMPANY = { name: 'Tallis & Reed', timeZone: 'America/New_York' } as Company;
const NOTHING = { minor: '0', currency: 'USD' } as const;

/** The page of payouts with nothing to pay. */
function wordsOf(reasons: readonly Payouts['held'][number]['reason'][]): string {
  const payouts = {
    ready: [],
    lots: [],
    readyDays: [],
    files: [],
    hasFiles: true,
    onItsWay: NOTHING,
    readySum: { count: 0, total: NOTHING },
    coming: { withdrawals: 0, nextBillOn: null },
    held: reasons.map((reason) => ({ reason })),
  } as unknown as Payouts;
  return renderToStaticMarkup(
    <CompanyContext value={COMPANY}>
      <ReadyPayouts
        payouts={payouts}
        part={{ search: '', payees: 'all', on: 'all' }}
        onPart={() => {}}
      />
    </CompanyContext>,
  );
}

test('says that payouts are stopped where all payments are held for that reason', () => {
  const words = wordsOf(['stopped', 'stopped']);
  expect(words).toContain('Payouts are stopped');
  expect(words).toContain('href="/admin/dashboard"');
  expect(words).not.toContain('Nothing to pay');
});

test('says that nothing is to be paid where payments are held for other reasons', () => {
  const words = wordsOf(['cooling']);
  expect(words).toContain('Nothing to pay');
  expect(words).not.toContain('Payouts are stopped');
});
