import { describe, expect, test } from 'vitest';
import { preloadsOf } from './preloads.ts';
import type { Manifest } from './preloads.ts';

const MANIFEST: Manifest = {
  'index.html': {
    file: 'assets/index-1.js',
    isEntry: true,
    imports: ['_start.js'],
    css: ['assets/index-1.css'],
  },
  '_start.js': { file: 'assets/start-1.js' },
  '_shared.js': {
    file: 'assets/shared-1.js',
    imports: ['index.html'],
    css: ['assets/shared-1.css'],
  },
  'pages/employee/layout.tsx': { file: 'assets/layout-1.js', imports: ['_shared.js'] },
  'pages/employee/withdraw.tsx': { file: 'assets/withdraw-1.js', imports: ['_shared.js'] },
  'pages/public/onboarding-steps.tsx': { file: 'assets/steps-1.js', imports: ['_shared.js'] },
  'pages/public/admin-setup.tsx': { file: 'assets/setup-1.js', imports: ['index.html'] },
};

const addresses = (path: string, hasSession: boolean) =>
  Array.from(
    preloadsOf(MANIFEST, path, hasSession).matchAll(/<([^>]*)>/g),
    ([, address]) => address,
  );

describe('the Link header of a page', () => {
  test('names its frame, its own file and their dependencies, each once', () => {
    expect(addresses('/employee/withdraw', true)).toEqual([
      '/assets/layout-1.js',
      '/assets/shared-1.js',
      '/assets/shared-1.css',
      '/assets/withdraw-1.js',
      '/api/session',
      '/api/shell',
    ]);
  });

  test('names nothing that index.html names already', () => {
    expect(addresses('/admin/setup', false)).toEqual(['/assets/setup-1.js', '/api/session']);
  });

  test("omits the wizard's requests for people who cannot be in it", () => {
    expect(addresses('/onboarding', false)).toEqual(['/api/session']);
    expect(addresses('/onboarding', true)).toContain('/assets/steps-1.js');
  });

  test.each(['/', '/login', '/employee/', '/employee/__proto__', '/admin/../x', '/employee/<x>'])(
    'preloads only the session for %s',
    (path) => {
      const asked = addresses(path, false).filter((address) => address?.startsWith('/api/'));
      expect(asked).toEqual(['/api/session']);
      expect(addresses(path, false).join(' ')).not.toContain('undefined');
    },
  );

  test('has the type of each', () => {
    const header = preloadsOf(MANIFEST, '/admin/setup', false);
    expect(header).toBe(
      '</assets/setup-1.js>; rel=modulepreload, </api/session>; rel=preload; as=fetch; crossorigin',
    );
    expect(preloadsOf(MANIFEST, '/employee/withdraw', true)).toContain(
      '</assets/shared-1.css>; rel=preload; as=style; crossorigin, ',
    );
  });
});
