import { expect, test } from 'vitest';
import pgPackage from 'pg/package.json' with { type: 'json' };
import { refuseUnknownPg } from './known-pg.ts';

test.each([pgPackage.version, '8.23.9', '8.24.0', '8.100.0'])('accepts pg %s', (version) => {
  expect(() => refuseUnknownPg(version)).not.toThrow();
});

test.each(['8.22.5', '8.2.3', '9.23.1', '8', '8.x'])('refuses pg %s', (version) => {
  expect(() => refuseUnknownPg(version)).toThrow(`pg ${version} is not known`);
});
