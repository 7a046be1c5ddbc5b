import { describe, expect, test } from 'vitest';
import { DEVICE_COOKIES, type FirstViewRequest } from '#contract/first-view.ts';
import { drawFirstView } from './first-view.tsx';
// The test file loads this screen itself: otherwise the time that vitest needs to transform it is that of a test.
import './pages/admin/payroll.tsx';

const COMPANY = { name: 'Purser Test', currency: 'USD', timeZone: 'America/New_York' };

/** A browser with these cookies, whose session the API reports as `user`. */
function requestOf(
  href: string,
  { user = null, cookies = {} }: { user?: object | null; cookies?: Record<string, string> } = {},
) {
  const asked: string[] = [];
  const request: FirstViewRequest = {
    href,
    cookie: (name) => cookies[name],
    ask: async (method, address) => {
      asked.push(`${method} ${address}`);
      if (address !== '/api/session') return undefined;
      return {
        user,
        kycStatus: null,
        company: COMPANY,
        confirmsEmail: false,
        mustSetUpTwoFactor: false,
      };
    },
  };
  return { request, asked };
}

const ADMIN = { id: '1', role: 'admin', firstName: 'Ada', lastName: 'Lo', email: 'a@b.c' };
const EMPLOYEE = { ...ADMIN, role: 'employee', employeeId: 'E-1' };

describe('the first view', () => {
  test('is sign-up for a visitor, or sign-in if the device remembers it', async () => {
    const first = await drawFirstView(requestOf('/onboarding').request);
    expect(first?.title).toBe('Create your account · Purser');
    expect(first?.html).toContain('<h1 class="page-title" tabindex="-1">Create your account</h1>');

    const cookies = { [DEVICE_COOKIES.authMode]: 'signin' };
    const again = await drawFirstView(requestOf('/onboarding', { cookies }).request);
    expect(again?.html).toContain('Forgot password?');
  });

  test('contains its replies, and no inline script or style', async () => {
    const view = await drawFirstView(requestOf('/onboarding').request);
    expect(view?.replies.map(([key]) => key)).toEqual([['getSession', {}]]);
    expect(view?.html).not.toMatch(/<script|<style| style=| on\w+=/);
  });

  test.each([
    ['a screen that is opened later', '/admin/settings'],
    ['an address that asks for a dialog', '/employee/dashboard?deposit=1'],
    ['the link of a mail', '/onboarding?confirm=token'],
    ['an address that does not exist', '/__proto__'],
  ])('of %s is left to the app, without a request to the API', async (_what, href) => {
    const { request, asked } = requestOf(href, { user: ADMIN });
    expect(await drawFirstView(request)).toBeNull();
    expect(asked).toEqual([]);
  });

  test.each([
    ['a visitor', '/admin/dashboard', null],
    ['an employee', '/admin/dashboard', EMPLOYEE],
    ['an admin', '/employee/dashboard', ADMIN],
    ['an admin', '/onboarding', ADMIN],
  ])('of %s on %s, which redirects, is left to the app', async (_who, href, user) => {
    const cookies = { [DEVICE_COOKIES.amounts]: 'shown' };
    const { request, asked } = requestOf(href, { user, cookies });
    expect(await drawFirstView(request)).toBeNull();
    expect(asked).toEqual(['GET /api/session']);
  });

  test.each([{}, { [DEVICE_COOKIES.amounts]: 'hidden' }])(
    'shows no amounts unless the device says that they are shown: %o',
    async (cookies: Record<string, string>) => {
      const { request, asked } = requestOf('/employee/dashboard', { user: EMPLOYEE, cookies });
      expect(await drawFirstView(request)).toBeNull();
      expect(asked).toEqual(['GET /api/session']);
    },
  );

  test('is left to the app if the API does not answer', async () => {
    const { request, asked } = requestOf('/admin/payroll', { user: ADMIN });
    expect(await drawFirstView(request)).toBeNull();
    expect(asked).toContain('GET /api/shell');
  });
});
