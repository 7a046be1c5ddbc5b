import { expect, test } from 'vitest';
import { PATHS } from './paths.ts';
import { ROUTES } from './routes/all.ts';

const operations = Object.entries(ROUTES).map(([name, { access }]) => ({
  name,
  isForAdmins: access === 'admin',
  path: PATHS[name as keyof typeof PATHS][1],
}));

test('names and addresses say which operations are the admins’', () => {
  expect(operations.length).toBeGreaterThan(50);
  const misnamed = operations.filter(
    ({ name, path, isForAdmins }) =>
      /^admin[A-Z]/.test(name) !== isForAdmins || path.startsWith('/api/admin/') !== isForAdmins,
  );
  expect(misnamed).toEqual([]);
});
