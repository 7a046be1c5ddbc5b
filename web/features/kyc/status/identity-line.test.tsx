import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { KYC_STATUSES } from '#contract/kyc.ts';
import { IdentityLine } from './identity-line.tsx';

test('nobody approved is reminded', () => {
  expect(renderToStaticMarkup(<IdentityLine status="approved" />)).toBe('');
  expect(renderToStaticMarkup(<IdentityLine status={null} />)).toBe('');
});

test.each(KYC_STATUSES.filter((status) => status !== 'approved'))(
  'a person whose check is %s reads whose turn it is, and where to go',
  (status) => {
    const markup = renderToStaticMarkup(<IdentityLine status={status} />);
    expect(markup).toMatch(/[Ii]dentity/);
    expect(markup).toMatch(/href="\/(onboarding|employee\/kyc-status)"/);
  },
);
