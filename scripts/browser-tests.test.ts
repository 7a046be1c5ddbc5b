import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addressesOf, browserTestsOf, pages, screensOf } from './browser-tests.ts';

test('every screen of the table has its page', () => {
  const table = readFileSync(new URL('../web/screens.ts', import.meta.url), 'utf8');
  const paths = [...table.matchAll(/^ {4}path: '([^']+)'/gm)].map(([, path = '']) => path);
  expect(paths).toContain('/admin/employees/$id');
  expect([...pages().keys()]).toEqual(expect.arrayContaining([...paths, '/', '/onboarding']));
});

test('a part belongs to the screens whose page imports it', () => {
  expect(screensOf('web/pages/employee/withdraw.tsx')).toEqual(['/employee/withdraw']);
  expect(screensOf('web/features/withdrawals/admin-stats.tsx')).toEqual(['/admin/withdrawals']);
});

test('a browser test belongs to the addresses that are written in it', () => {
  expect(addressesOf('e2e/admin-employee.test.ts')).toContain('/admin/employees/$id');
  expect(addressesOf('e2e/employee-withdraw.test.ts')).toContain('/employee/withdraw');
});

test('a change of a screen runs what is most about it, and one of all screens opens each', () => {
  expect(browserTestsOf(['web/pages/employee/withdraw.tsx']).chosen).toContain(
    'e2e/employee-withdraw.test.ts',
  );
  expect(browserTestsOf(['web/features/withdrawals/admin-stats.tsx']).chosen).toContain(
    'e2e/admin-withdrawals.test.ts',
  );
  expect(browserTestsOf(['web/ui/button.tsx']).chosen).toEqual(['e2e/screens.test.ts']);
  expect(browserTestsOf(['e2e/toasts.test.ts', 'server/lib/clock.ts'])).toEqual({
    chosen: ['e2e/toasts.test.ts'],
    left: [],
  });
});
