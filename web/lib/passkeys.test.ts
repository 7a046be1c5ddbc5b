import { afterEach, expect, test, vi } from 'vitest';
import { whyNoPasskeys } from './passkeys.ts';

afterEach(() => vi.unstubAllGlobals());

/** A browser at an address; `knows` whether it has what passkeys need. */
function at(hostname: string, knows = true): string | undefined {
  vi.stubGlobal('window', { location: { hostname } });
  const credential = Object.assign(() => undefined, {
    ...(knows && { parseCreationOptionsFromJSON: () => undefined }),
  });
  vi.stubGlobal('PublicKeyCredential', credential);
  return whyNoPasskeys();
}

test.each(['pay.example.com', 'localhost', '10.example.com'])('%s takes passkeys', (hostname) => {
  expect(at(hostname)).toBeUndefined();
});

test.each(['127.0.0.1', '192.168.1.20', '[::1]', '[2001:db8::1]'])(
  '%s, which is a number, says why not',
  (hostname) => {
    expect(at(hostname)).toMatch(/address of this page is a number/);
  },
);

test('a browser that knows no passkeys says so', () => {
  expect(at('pay.example.com', false)).toBe('This browser cannot create passkeys here.');
});
