import { expect, test } from 'vitest';
import type { Session } from '#contract/api.ts';
import { AUTH_PROBLEMS, sessionProblem } from './use-verified-admin.ts';

const admin = { user: { role: 'admin' }, mustSetUpTwoFactor: false } as Session;

test('an administrator whose session is ready can fund', () => {
  expect(sessionProblem(admin)).toBeUndefined();
});

test.each<[string, Session | undefined]>([
  ['an unknown person', undefined],
  ['nobody', { ...admin, user: null }],
  ['an employee', { ...admin, user: { role: 'employee' } } as Session],
  ['an administrator who has to set up two-factor first', { ...admin, mustSetUpTwoFactor: true }],
])('a session of %s cannot fund', (_, session) => {
  expect(sessionProblem(session)).toBe(AUTH_PROBLEMS.notReady);
});
