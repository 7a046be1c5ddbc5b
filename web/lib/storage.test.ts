import { afterEach, expect, test, vi } from 'vitest';
import { keptInTab, keptOnDevice } from './storage.ts';

afterEach(() => vi.unstubAllGlobals());

const refuse = () => {
  throw new DOMException('not allowed', 'SecurityError');
};

test('a browser that refuses storage keeps texts as long as the page', () => {
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, { get: refuse, configurable: true });
  }
  try {
    for (const kept of [keptOnDevice, keptInTab]) {
      expect(kept.get('draft')).toBeNull();
      kept.set('draft', '20.00');
      expect(kept.get('draft')).toBe('20.00');
      kept.set('draft', null);
      expect(kept.get('draft')).toBeNull();
    }
  } finally {
    for (const name of ['localStorage', 'sessionStorage']) Reflect.deleteProperty(globalThis, name);
  }
});

test('a full storage does not show the older text', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => 'older',
    setItem: refuse,
    removeItem: () => undefined,
  });
  expect(keptInTab.get('amount')).toBe('older');
  keptInTab.set('amount', 'newer');
  expect(keptInTab.get('amount')).toBe('newer');
  keptInTab.set('amount', null);
  expect(keptInTab.get('amount')).toBe('older');
});
