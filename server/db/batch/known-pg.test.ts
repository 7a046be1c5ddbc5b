import { expect, test } from 'vitest';
import { refuseUnknownPg } from './known-pg.ts';

test('accepts the installed version, and its patches', () => {
  expect(() => refuseUnknownPg()).not.toThrow();
  expect(() => refuseUnknownPg('8.23.9')).not.toThrow();
});

test.each(['8.24.0', '8.2.3', '9.23.1', '8'])('refuses pg %s', (version) => {
  expect(() => refuseUnknownPg(version)).toThrow(`pg ${version} is not known`);
});
